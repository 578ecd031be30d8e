import { rulers } from "#content/pages/rulers.ts";
import { Draw, Drawing, dot, Label, Note } from "../drawings/pens.tsx";
import { Masthead } from "../sections/page-sections.tsx";
import { metaOf } from "../seo/page-meta.ts";
import { siteContext } from "../site-services.ts";
import { Link } from "../ui/link.tsx";
import { unbroken } from "../ui/unbroken.tsx";
import type { Route } from "./+types/rulers";
import { type Field, type Measured, measureAll } from "./measure.server.ts";

export const meta = metaOf(rulers.head);

/** What a visitor writes is in the address alone, so the page works without scripts and stores nothing. */
export function loader({ request, context }: Route.LoaderArgs) {
  const { settings } = context.get(siteContext);
  const { searchParams } = new URL(request.url);
  return measureAll(searchParams, new URL(settings.url).hostname, new Date());
}

export default function RulersPage({ loaderData }: Route.ComponentProps) {
  const { invoice, estimate, lien } = rulers;
  return (
    <>
      <Masthead heading={rulers.heading} lede={rulers.lede} />
      <div className="wrap section tight rulers">
        <Ruler words={invoice} note={invoice.limit} measured={loaderData.invoice} />
        <Ruler words={estimate} measured={loaderData.estimate} />
        <Ruler words={lien} measured={loaderData.lien} />
        <p className="muted">{rulers.noAdvice}</p>
      </div>
    </>
  );
}

type RulerProps = {
  words: {
    id: string;
    title: string;
    text: string;
    law: string;
    checked: string;
    from: { label: string; path: string };
  };
  note?: string;
  measured: Measured & { isExample: boolean };
};

function Ruler({ words, note = "", measured }: RulerProps) {
  const { id, title, text, law, checked, from } = words;
  const { fields, marks, rows, rule, calendar, isExample } = measured;
  return (
    <section className="sheet lifted cells" data-n="2" id={id} aria-labelledby={`${id}-heading`}>
      <div>
        <h2 className="title" id={`${id}-heading`}>
          {title}
        </h2>
        <p className="muted">{unbroken(text)}</p>
        {isExample && <p className="lettering below">{rulers.example}</p>}
        <form className="below" action={`${rulers.head.path}#${id}`}>
          {fields.map((field) => (
            <RulerField key={field.name} id={`${id}-${field.name}`} {...field} />
          ))}
          <button type="submit" className="button below">
            {rulers.measure}
          </button>
        </form>
      </div>
      <div>
        {marks.length > 0 && (
          <figure>
            <DrawnRuler id={id} title={title} {...measured} />
          </figure>
        )}
        <ul className="rows keyed below">
          {[...marks, ...rows].map(({ what, when }, index) => (
            <li key={what}>
              <span className="lettering accent">{index < marks.length && letterOf(index)}</span>
              <div>
                <b>{when}</b>
                <p>{what}</p>
              </div>
            </li>
          ))}
        </ul>
        {calendar && (
          <a className="button below" href={calendar} download={`${id}.ics`}>
            {rulers.calendar}
          </a>
        )}
      </div>
      <div>
        <p>{rule}</p>
        <p className="small below">
          {`${note} ${law} ${checked} ${rulers.shortAdvice}`.trim()}{" "}
          <Link to={from.path}>{from.label}</Link>
        </p>
      </div>
    </section>
  );
}

function RulerField({ id, name, label, kind, value, fault }: Field & { id: string }) {
  return (
    <p className="below">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input
        className="field-input"
        id={id}
        name={name}
        type={kind === "date" ? "date" : "text"}
        inputMode={kind === "number" ? "decimal" : undefined}
        autoComplete="off"
        maxLength={60}
        defaultValue={value}
        aria-invalid={fault ? true : undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
      />
      {fault && (
        <span className="field-error" id={`${id}-fault`}>
          {fault}
        </span>
      )}
    </p>
  );
}

const letterOf = (index: number) => String.fromCharCode(65 + index);

const left = 16;
const width = 268;
const top = 44;
const depth = 40;

/** A ruler as long as the law's time or money, with a letter at each mark of the list below it. */
function DrawnRuler({ id, title, marks, length, unit }: Measured & { id: string; title: string }) {
  // Ten per cent of a few cents is nothing.
  const end = Math.max(length, ...marks.map(({ at }) => at)) || 1;
  const xOf = (at: number) => Math.round(left + (at / end) * width);
  const step = unit === "dollars" ? end / 20 : end > 60 ? 5 : 1;
  const isLong = (index: number) => index % (unit === "dollars" ? 10 : end > 60 ? 6 : 7) === 0;
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, index) => {
    return `M${xOf(index * step)} ${top}v${isLong(index) ? 18 : 9}`;
  });
  const words = marks.map(({ what, when }, index) => `${letterOf(index)}: ${what}, ${when}.`);
  return (
    <Drawing
      id={`${id}-ruler`}
      width={300}
      height={112}
      title={title}
      description={words.join(" ")}
    >
      <Draw
        part={`M${left} ${top}h${width}v${depth}h-${width}z`}
        tint={`M${left} ${top}H${xOf(length)}v${depth}H${left}z`}
        line={ticks.join("")}
        route={`M${left} ${top}H${xOf(length)}`}
        safety={marks.map(({ at }) => dot(xOf(at), top, 7)).join("")}
      />
      {marks.map(({ at, what }, index) => (
        <Label key={what} x={xOf(at)} y={top - 16} textAnchor="middle" text={letterOf(index)} />
      ))}
      {unit === "days" &&
        marks.map(({ at, what }) => (
          <Note key={what} x={xOf(at)} y={top + depth + 22} textAnchor="middle" text={at} />
        ))}
      <Note x={left} y={top + depth + 22} textAnchor="middle" text="0" />
      {unit === "dollars" && (
        <Note x={xOf(length)} y={top + depth + 22} textAnchor="middle" text="10%" />
      )}
    </Drawing>
  );
}
