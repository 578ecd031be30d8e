import { Fragment } from "react";
import type {
  LegalClause,
  LegalDocument,
  LegalSection,
  LegalTable,
  LegalText,
} from "#content/legal-document.ts";
import { named } from "#content/own-words.ts";
import { postalAddressAbroad } from "#content/site.ts";
import { formatLongDate } from "#content/toronto-time.ts";
import { useSiteFacts } from "../../site-facts.ts";
import { EmailLink, Link } from "../../ui/link.tsx";
import { Facts, TitleBlock } from "../../ui/title-block.tsx";
import { unbroken } from "../../ui/unbroken.tsx";
import { Masthead } from "../page-sections.tsx";
import { BackButton } from "./back-button.tsx";

export function LegalPage({ document: usual }: { document: LegalDocument }) {
  const { settings, today } = useSiteFacts();
  const { heading, lede, inForceSince, law, summary, sections } = named(settings, usual);
  const since = formatLongDate(new Date(`${inForceSince}T12:00:00Z`));
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
            {
              key: "Last updated",
              value: (
                <>
                  {today}
                  {since !== today && <p className="muted">In force since {since}</p>}
                </>
              ),
            },
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

function LegalContents({ sections }: { sections: readonly LegalSection[] }) {
  return (
    <nav className="legal-contents" aria-label="Sections">
      <ol className="rows linked columns">
        {sections.map(({ id, heading }, index) => (
          <li key={id}>
            <span className="lettering accent" aria-hidden="true">
              {`${index + 1}. `}
            </span>
            <a href={`#${id}`}>{heading}</a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function LegalSectionText({ number, id, heading, clauses }: LegalSection & { number: number }) {
  return (
    <section id={id} tabIndex={-1} aria-labelledby={`${id}-heading`}>
      <h2 className="title" id={`${id}-heading`}>
        <span className="accent">{number}.&ensp;</span>
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
      <span className="lettering">{number}&ensp;</span>
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
    phone: settings.phone && (
      <>
        . Phone: <span className="whitespace-nowrap">{settings.phone}</span>
      </>
    ),
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
