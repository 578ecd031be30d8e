import type { LegalClause, LegalSection, LegalTable } from "#content/legal-document.ts";
import { unbroken } from "../../ui/unbroken.tsx";
import { LegalWords } from "./legal-words.tsx";

/** One section: its number and heading, then clauses numbered under it, so that each can be cited. */
export function LegalSectionText({
  number,
  id,
  heading,
  clauses,
}: LegalSection & { number: number }) {
  return (
    <section id={id} tabIndex={-1} aria-labelledby={`${id}-heading`}>
      <h2 id={`${id}-heading`}>
        <span className="legal-number">{number}. </span>
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
    <div className="clause">
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
    <table className="sheet schedule">
      <caption className="lettering">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
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
