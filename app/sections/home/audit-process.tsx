import { home } from "#content/pages/home.ts";
import { LineLength } from "../../drawings/straightened-line.tsx";

/** The four steps along one line that begins as a tangle and ends straight. */
export function AuditProcess() {
  const { heading, lede, steps } = home.process;
  return (
    <section className="section">
      <div className="wrap">
        <div className="section-head">
          <h2>{heading}</h2>
          <p>{lede}</p>
        </div>
        <ol className="line-steps">
          {steps.map(({ when, title, text }) => (
            <li key={title}>
              <LineLength step={title} />
              <div className="line-step-words">
                <p className="lettering">{when}</p>
                <h3>{title}</h3>
                <p>{text}</p>
              </div>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
