import { personalAssistants as usual } from "#content/use-cases/personal-assistants.ts";
import { Draw, Drawing, dot, Note } from "../drawings/pens.tsx";
import { Breadcrumb, Masthead } from "../sections/page-sections.tsx";
import { crumbsOfUseCase } from "../sections/use-case/use-case-page.tsx";
import { metaOf } from "../seo/page-meta.ts";
import { useNamed, usePageWords } from "../site-facts.ts";
import { Link, LinkItems } from "../ui/link.tsx";
import { TitleBlock } from "../ui/title-block.tsx";

export const meta = metaOf({ ...usual.head, noIndex: true });

export default function PersonalAssistantsPage() {
  const personalAssistants = usePageWords(usual);
  return (
    <>
      <Breadcrumb crumbs={crumbsOfUseCase(personalAssistants)} />
      <Masthead heading={personalAssistants.heading} lede={personalAssistants.lede} />
      <ComingSoon />
    </>
  );
}

function ComingSoon() {
  const { titleBlock, tellMe } = useNamed(usePageWords(usual));
  return (
    <div className="wrap section tight split centred">
      <figure className="sheet lifted">
        <EmptyLot />
        <TitleBlock entries={titleBlock} />
      </figure>
      <section aria-labelledby="tell-me">
        <h2 className="title" id="tell-me">
          {tellMe.heading}
        </h2>
        <p>{tellMe.text}</p>
        <Link className="button button-primary" to={tellMe.action.path}>
          {tellMe.action.label}
        </Link>
        <ul className="rows linked">
          <LinkItems links={tellMe.links} />
        </ul>
      </section>
    </div>
  );
}

function EmptyLot() {
  return (
    <Drawing
      id="empty-lot"
      height={300}
      title="An empty building lot"
      description="Four corner stakes with batter boards, and strings between them that mark out a rectangle. Nothing stands inside."
    >
      <Draw
        hidden="M18 24H402V276H18z"
        route="M48 92H372M48 208H372M98 52V248M322 52V248"
        part="M40 76h8v32h-8zM40 192h8v32h-8zM372 76h8v32h-8zM372 192h8v32h-8zM82 44h32v8H82zM306 44h32v8h-32zM82 248h32v8H82zM306 248h32v8h-32z"
        line={dot(98, 92, 8) + dot(322, 92, 8) + dot(98, 208, 8) + dot(322, 208, 8)}
      />
      <Note x={210} y={155} textAnchor="middle" text="nothing here yet" />
    </Drawing>
  );
}
