import type { ReactNode } from "react";
import { dollars } from "#content/amounts.ts";
import { automationRows, sampleAudit } from "#content/sample-audit.ts";
import { sources } from "#content/sources.ts";
import { Draw, Drawing, dot, Label, Note, Part, type Place } from "../drawings/pens.tsx";
import { unbroken } from "../ui/unbroken.tsx";

const { client, flow, mark, sheets, times } = sampleAudit;
const rows = automationRows();

/** Keeps signs and units off a line's beginning. */
const whole = (text: string) => unbroken(text.replace(/ ([×÷=−]) /g, "\u00a0$1 "));

/** The whole weeks that hold ninety days. */
const weeks = Array.from({ length: 13 }, (_, index) => index + 1);
const days = 7 * weeks.length;

function lengthOf(hours: number): string {
  if (hours < 1) return `${Math.round(hours * 60)} min`;
  return hours < 24 ? `${hours} h` : `${hours / 24} days`;
}

const sum = (of: (row: (typeof rows)[number]) => number) =>
  rows.reduce((together, row) => together + of(row), 0);

const together = {
  hours: `${sum(({ hours }) => hours)} hours a week`,
  saved: dollars(sum(({ saved }) => saved)),
};

const months = rows.map((row) => Math.round(row.months));

const totals = [
  [together.saved, `saved a year, for ${together.hours}`],
  [dollars(sum(({ run }) => run)), "to run all five, a year"],
  [dollars(sum(({ build }) => build)), "to build all five, once"],
  [`${months[0]} to ${months.at(-1)} months`, "until each has paid for itself"],
] as const;

const costs = rows.map(({ build }) => build);

/** The cheapest build's cost and the dearest's. */
export const builds = [Math.min(...costs), Math.max(...costs)];

export function AuditSheets() {
  return sheets.map((sheet) => (
    <section className="sheet lifted audit-sheet" id={sheet.id} key={sheet.id}>
      <header className="apart">
        <h2 className="title">{sheet.title}</h2>
        <span className="stamp">{mark}</span>
      </header>
      {contents[sheet.id]()}
      {"note" in sheet && <p className="small">{whole(sheet.note)}</p>}
      <footer className="apart lettering">
        <span>{client}</span>
        <span>{sheet.name}</span>
        <span>{`${sheet.id} of ${sheets.length}`}</span>
      </footer>
    </section>
  ));
}

/** The first sheet's chart alone. */
export function Returns({ withCost = false }: { withCost?: boolean }) {
  return (
    <figure className="sheet lifted returns">
      <figcaption className="apart lettering">
        {sampleAudit.onSheet} <span className="stamp">{mark}</span>
      </figcaption>
      <ReturnBars withCost={withCost} />
      <p className="apart">
        <b>{together.hours}</b> <span className="lettering">{`${together.saved} a year`}</span>
      </p>
    </figure>
  );
}

function ReturnBars({ withCost }: { withCost: boolean }) {
  const most = Math.max(...rows.map(({ saved }) => saved));
  return (
    <Bars
      rows={rows.map(({ what, saved, build }) => ({
        label: what,
        bars: [
          { to: saved / most, text: withCost ? `${dollars(saved)} saved` : dollars(saved) },
          ...(withCost
            ? [{ to: build / most, text: `${dollars(build)} to build`, pen: "safety" } as const]
            : []),
        ],
      }))}
    />
  );
}

const contents: Record<(typeof sheets)[number]["id"], () => ReactNode> = {
  "A-1": () => (
    <>
      <ReturnBars withCost />
      <dl className="cells title-block" data-n="4">
        {totals.map(([value, label]) => (
          <div className="figure-stat quiet" key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  ),

  "A-2": () => (
    <Bars
      className="cells"
      rows={times.map(({ what, hours, beside, says, source }) => ({
        label: what,
        bars: [
          { to: 1, text: `${lengthOf(hours)} today`, pen: "safety" },
          { to: beside / hours, text: lengthOf(beside) },
        ],
        note: source ? `${says}. ${sources[source].publisher}, “${sources[source].title}”` : says,
      }))}
    />
  ),

  "A-3": () => (
    <Bars
      className="ninety-days"
      head={
        <li>
          <span className="apart">
            Week <span>Days</span>
          </span>
          <svg className="drawing" aria-hidden="true">
            {weeks.map((week) => (
              <text key={week} x={percent((week - 0.5) / weeks.length)} y="70%" textAnchor="middle">
                {week}
              </text>
            ))}
          </svg>
        </li>
      }
      rows={rows.map(({ what, hours, fromDay, toDay }) => ({
        label: `${what}, ${hours} h`,
        beside: `${fromDay}-${toDay}`,
        bars: [{ from: (fromDay - 1) / days, to: toDay / days, text: "" }],
      }))}
    />
  ),

  "A-4": () => (
    <div className="split">
      <figure className="pad">
        <Drawing
          id="A-4"
          width={388}
          height={354}
          title={sheets[3].title}
          description={flow.map(({ name }, index) => `${index + 1}: ${name}.`).join(" ")}
        >
          <Draw
            route="M92 62V104M92 148V190M178 212H194V112H210M194 212V242H210M296 264V292"
            part={dot(194, 212, 8)}
          />
          <FlowBox x={6} y={18} number={1} />
          <FlowBox x={6} y={104} number={2} />
          <FlowBox x={6} y={190} number={3} />
          <FlowBox x={210} y={90} number={4} />
          <FlowBox x={210} y={220} number={5} />
          <FlowBox x={210} y={292} number={6} />
          <Note x={204} y={174} text="yes" />
          <Note x={184} y={258} textAnchor="end" text="no" />
        </Drawing>
      </figure>
      <ol className="rows">
        {flow.map(({ name, rule }, index) => (
          <li key={name}>
            <b>{`${index + 1} ${name}.`}</b> {rule}
          </li>
        ))}
      </ol>
    </div>
  ),
};

function FlowBox({ number, ...place }: Place & { number: number }) {
  const name = flow[number - 1]?.name ?? "";
  return <Part {...place} width={172} height={44} label={`${number} ${name}`} />;
}

/** Parts of the whole width. */
type Bar = { from?: number; to: number; text: string; pen?: "chalk" | "safety" };
type BarsProps = {
  rows: readonly { label: string; beside?: string; bars: readonly Bar[]; note?: string }[];
  head?: ReactNode;
  className?: string;
};

/** In the page's own letters, so that they are read at every width. */
function Bars({ rows, head, className = "" }: BarsProps) {
  return (
    <ul className={`bars pad ${className}`} data-n="2">
      {head}
      {rows.map(({ label, beside, bars, note }) => (
        <li key={label}>
          <span className="apart">
            {label} {beside && <span>{beside}</span>}
          </span>
          {bars.map(({ from = 0, to, text, pen = "chalk" }) => (
            // biome-ignore lint/a11y/noSvgWithoutTitle: a bar and its words, which are read as text.
            <svg className="drawing" key={pen}>
              <rect
                className={`solid-${pen}`}
                x={percent(from)}
                y="10%"
                width={percent(Math.max(to - from, 0.005))}
                height="73%"
              />
              <Label x={percent(to)} y="70%" dx=".6em" text={text} />
            </svg>
          ))}
          {note && <p className="small below">{note}</p>}
        </li>
      ))}
    </ul>
  );
}

function percent(part: number): string {
  return `${(part * 100).toFixed(1)}%`;
}
