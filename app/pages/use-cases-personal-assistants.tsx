import { personalAssistants } from "#content/use-cases/personal-assistants.ts";
import { Drawing, Note } from "../drawings/pens.tsx";
import { Breadcrumb, Masthead } from "../sections/page-sections.tsx";
import { crumbsOfUseCase } from "../sections/use-case/use-case-page.tsx";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import { useNamed } from "../site-facts.ts";
import { Link } from "../ui/link.tsx";
import { TitleBlock } from "../ui/title-block.tsx";
import type { Route } from "./+types/use-cases-personal-assistants";

export function meta({ matches }: Route.MetaArgs) {
  return pageMeta({ ...personalAssistants.head, noIndex: true }, rootFacts(matches).settings);
}

export default function PersonalAssistantsPage() {
  return (
    <>
      <Breadcrumb crumbs={crumbsOfUseCase(personalAssistants)} />
      <Masthead heading={personalAssistants.heading} lede={personalAssistants.lede} />
      <ComingSoon />
    </>
  );
}

function ComingSoon() {
  const { titleBlock, tellMe } = useNamed(personalAssistants);
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
          {tellMe.links.map(({ label, path }) => (
            <li key={path}>
              <Link to={path}>{label}</Link>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** A building lot on the first day: batter boards and strings. */
function EmptyLot() {
  return (
    <Drawing
      id="empty-lot"
      height={300}
      title="An empty building lot"
      description="Four corner stakes with batter boards, and strings between them that mark out a rectangle. Nothing stands inside."
    >
      <path className="hidden-line" d="M18 24H402V276H18z" />
      <path className="route" d="M48 92H372M48 208H372M98 52V248M322 52V248" />
      <path
        className="part"
        d="M40 76h8v32h-8zM40 192h8v32h-8zM372 76h8v32h-8zM372 192h8v32h-8zM82 44h32v8H82zM306 44h32v8h-32zM82 248h32v8H82zM306 248h32v8h-32z"
      />
      <path
        className="part-line"
        d="M90 92a8 8 0 1 0 16 0 8 8 0 1 0-16 0M314 92a8 8 0 1 0 16 0 8 8 0 1 0-16 0M90 208a8 8 0 1 0 16 0 8 8 0 1 0-16 0M314 208a8 8 0 1 0 16 0 8 8 0 1 0-16 0"
      />
      <Note x={210} y={155} textAnchor="middle" text="nothing here yet" />
    </Drawing>
  );
}
