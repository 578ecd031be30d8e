import { personalAssistants as usual } from "#content/use-cases/personal-assistants.ts";
import { Draw, Drawing, Note } from "../drawings/pens.tsx";
import { Breadcrumb, ClosingCall } from "../sections/page-sections.tsx";
import { crumbsOfUseCase, Opening, Plan } from "../sections/use-case/use-case-page.tsx";
import { metaOf } from "../seo/page-meta.ts";
import { useNamed, usePageWords } from "../site-facts.ts";
import { Link } from "../ui/link.tsx";
import { TitleBlock } from "../ui/title-block.tsx";

export const meta = metaOf({ ...usual.head, noIndex: true });

export default function PersonalAssistantsPage() {
  const words = useNamed(usePageWords(usual));
  const { heading, intro, titleBlock, planned, tellMe, closing } = words;
  return (
    <>
      <Breadcrumb crumbs={crumbsOfUseCase(words)} />
      <Opening heading={heading} intro={intro} note={tellMe.text}>
        <Link className="button button-primary" to={tellMe.action.path}>
          {tellMe.action.label}
        </Link>
      </Opening>
      <div className="wrap section tight case-drawing">
        <div className="sheet lifted">
          <Plan {...planned}>
            <StakedLot />
          </Plan>
          <TitleBlock entries={titleBlock} />
        </div>
      </div>
      <ClosingCall heading={closing.heading} text={closing.text}>
        {closing.links.map(({ label, path }, index) => (
          <Link className={`button ${index ? "" : "button-ink"}`} key={path} to={path}>
            {label}
          </Link>
        ))}
      </ClosingCall>
    </>
  );
}

function StakedLot() {
  return (
    <Drawing
      id="staked-lot"
      height={300}
      title="A staked-out building lot"
      description="Batter boards with strings between them mark out three rooms side by side, numbered 1 to 3: a sheet of paper, a speech bubble and a calendar. Nothing is built yet."
    >
      <Draw
        hidden="M18 16H402V284H18z"
        route="M40 72H380M40 216H380M78 46V242M166 46V242M254 46V242M342 46V242"
        part="M32 56h8v32h-8zM32 200h8v32h-8zM380 56h8v32h-8zM380 200h8v32h-8zM62 38h32v8H62zM150 38h32v8h-32zM238 38h32v8h-32zM326 38h32v8h-32zM62 242h32v8H62zM150 242h32v8h-32zM238 242h32v8h-32zM326 242h32v8h-32zM100 134h44v56h-44zM184 136h52v34h-28l-12 14v-14h-12zM272 138h52v50h-52z"
        line="M108 150h22M108 160h28M108 170h28M108 180h18M193 148h34M193 158h22M272 152h52M289 152v36M307 152v36M272 170h52"
        safety="M308 171h15v16h-15z"
      />
      {[122, 210, 298].map((x, index) => (
        <Note key={x} x={x} y={112} textAnchor="middle" text={index + 1} />
      ))}
      <Note x={210} y={274} textAnchor="middle" text="staked out, not built" />
    </Drawing>
  );
}
