import { personalAssistants } from "#content/use-cases/personal-assistants.ts";
import { EmptyLot } from "../drawings/use-cases/personal-assistants.tsx";
import { Breadcrumb } from "../sections/breadcrumb.tsx";
import { Masthead } from "../sections/masthead.tsx";
import { crumbsOfUseCase } from "../sections/use-case/use-case-page.tsx";
import { pageMeta, rootFacts } from "../seo/page-meta.ts";
import { Link } from "../ui/link.tsx";
import { TitleBlock } from "../ui/title-block.tsx";
import type { Route } from "./+types/use-cases-personal-assistants";
import "../sections/personal-assistants/coming-soon.css";
import "../ui/line-end.css";
import "../sections/breadcrumb.css";

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

/** A drawing that has not been issued, and what is open in the meantime. */
function ComingSoon() {
  const { titleBlock, meanwhile } = personalAssistants;
  return (
    <div className="wrap coming-soon">
      <figure className="sheet">
        <EmptyLot />
        <TitleBlock entries={titleBlock} />
      </figure>
      <section aria-labelledby="meanwhile-heading">
        <h2 id="meanwhile-heading">{meanwhile.heading}</h2>
        <ul>
          {meanwhile.links.map(({ label, path, text }) => (
            <li key={path}>
              <Link to={path}>{label}</Link>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
