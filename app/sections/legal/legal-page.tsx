import { type FormEvent, Fragment } from "react";
import { useNavigate } from "react-router";
import type {
  LegalClause,
  LegalDocument,
  LegalSection,
  LegalTable,
  LegalText,
} from "#content/legal-document.ts";
import { named } from "#content/own-words.ts";
import { postalAddressAbroad } from "#content/site.ts";
import { useSiteFacts } from "../../site-facts.ts";
import { EmailLink, Link, PhoneLink } from "../../ui/link.tsx";
import { Facts, TitleBlock } from "../../ui/title-block.tsx";
import { unbroken } from "../../ui/unbroken.tsx";
import { Masthead } from "../page-sections.tsx";

/** Terms or Privacy as a specification: title block, contents, numbered sections and clauses. */
export function LegalPage({ document: usual }: { document: LegalDocument }) {
  const { settings, today } = useSiteFacts();
  const { heading, lede, law, summary, sections } = named(settings, usual);
  return (
    <>
      <div className="wrap legal-top">
        <BackButton />
      </div>
      <Masthead heading={heading} lede={lede} />
      <div className="wrap section tight legal">
        <TitleBlock
          className="sheet lifted"
          columns={4}
          entries={[
            { key: "Document", value: heading },
            { key: "Issued by", value: settings.name },
            { key: "Last updated", value: today },
            law,
          ]}
        />
        {summary && (
          <Facts
            className="sheet legal-summary"
            columns={3}
            entries={summary.map(({ key, value }) => ({ key, value: unbroken(value) }))}
          />
        )}
        <LegalContents sections={sections} />
        <div className="legal-text">
          {sections.map((section, index) => (
            <LegalSectionText key={section.id} number={index + 1} {...section} />
          ))}
        </div>
      </div>
    </>
  );
}

/** Goes back, or home for a visitor who came from elsewhere or has no scripts. */
function BackButton() {
  const navigate = useNavigate();
  function goBack(event: FormEvent) {
    event.preventDefault();
    if (cameFromThisSite()) window.history.back();
    else navigate("/");
  }
  return (
    <form action="/" onSubmit={goBack}>
      <button type="submit" className="button">
        <svg viewBox="0 0 22 14" width="22" height="14" aria-hidden="true">
          <path d="M8 1 2 7l6 6M2 7h19" fill="none" stroke="currentColor" strokeWidth="2" />
        </svg>
        Back
      </button>
    </form>
  );
}

/**
 * `navigation.canGoBack` covers this site's entries, even typed addresses. Older browsers use the router's entry index,
 * or the referrer of the first page.
 */
function cameFromThisSite(): boolean {
  if (window.navigation) return window.navigation.canGoBack;
  const entriesBefore: unknown = window.history.state?.idx;
  if (typeof entriesBefore === "number" && entriesBefore > 0) return true;
  return document.referrer.startsWith(`${window.location.origin}/`);
}

/** The links replace the history entry, so that Back still leads to the page before this one. */
function LegalContents({ sections }: { sections: readonly LegalSection[] }) {
  return (
    <nav className="legal-contents" aria-label="Sections">
      <ol className="rows linked columns">
        {sections.map(({ id, heading }, index) => (
          <li key={id}>
            <span className="lettering accent" aria-hidden="true">
              {`${index + 1}. `}
            </span>
            <Link to={{ hash: id }} replace onClick={() => focusSection(id)}>
              {heading}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** Moves the keyboard to the section, as a native link does. */
function focusSection(id: string) {
  document.getElementById(id)?.focus({ preventScroll: true });
}

function LegalSectionText({ number, id, heading, clauses }: LegalSection & { number: number }) {
  return (
    <section id={id} tabIndex={-1} aria-labelledby={`${id}-heading`}>
      <h2 className="title" id={`${id}-heading`}>
        <span className="accent">{number}. </span>
        {heading}
      </h2>
      {clauses.map((clause, index) => {
        const clauseNumber = `${number}.${index + 1}`;
        return <Clause key={clauseNumber} number={clauseNumber} {...clause} />;
      })}
    </section>
  );
}

function Clause({ number, text, list, table }: LegalClause & { number: string }) {
  return (
    <div className="clause below">
      <span className="lettering">{number}</span>
      <div>
        <p>
          <LegalWords text={text} />
        </p>
        {list && (
          <ul>
            {list.map((item) => (
              <li key={item}>{unbroken(item)}</li>
            ))}
          </ul>
        )}
        {table && <Schedule {...table} />}
      </div>
    </div>
  );
}

function Schedule({ caption, columns, rows }: LegalTable) {
  return (
    <table className="sheet schedule below">
      <caption className="lettering">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th className="lettering" key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([what, howLong]) => (
          <tr key={what}>
            <th scope="row">{unbroken(what)}</th>
            <td>{unbroken(howLong)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LegalWords({ text }: { text: LegalText }) {
  const { settings } = useSiteFacts();
  const facts = {
    name: settings.name,
    email: <EmailLink />,
    phone: <PhoneLink />,
    postalAddress: unbroken(postalAddressAbroad(settings)),
  };
  if (typeof text === "string") return unbroken(text);
  return text.map((phrase) => {
    const key = JSON.stringify(phrase);
    if (typeof phrase === "string") return <Fragment key={key}>{unbroken(phrase)}</Fragment>;
    if ("fact" in phrase) return <Fragment key={key}>{facts[phrase.fact]}</Fragment>;
    return (
      <Link key={key} to={phrase.path}>
        {phrase.label}
      </Link>
    );
  });
}
