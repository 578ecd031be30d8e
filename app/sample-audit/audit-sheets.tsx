import type { ReactNode } from "react";
import { automationRows, sampleAudit } from "#content/sample-audit.ts";
import { sources } from "#content/sources.ts";
import { Draw, Drawing, dot, Label, Note, Part } from "../drawings/pens.tsx";
import { TitleBlock } from "../ui/title-block.tsx";
import { unbroken } from "../ui/unbroken.tsx";

type Sheet = (typeof sampleAudit.sheets)[number];

const { flow, mark, sheets, times, titleBlock } = sampleAudit;

const dollars = (amount: number) => `$${Math.round(amount).toLocaleString("en-US")}`;

/** Keeps signs and units off a line's beginning. */
const whole = (text: string) => unbroken(text.replace(/ ([×÷=−]) /g, "\u00a0$1 "));

function lengthOf(hours: number): string {
  if (hours < 1) return `${Math.round(hours * 60)} min`;
  return hours < 24 ? `${hours} h` : `${hours / 24} days`;
}

type AuditSheetProps = { sheet: Sheet; heading?: "h2" | "h3" };

export function AuditSheet({ sheet, heading: Heading = "h2" }: AuditSheetProps) {
  const { drawing, lines } = contents[sheet.id]();
  const { height, says, shown } = drawing;
  return (
    <section className="sheet lifted audit-sheet" id={sheet.id}>
      <header className="apart">
        <Heading className="title">{sheet.title}</Heading>
        <span className="stamp">{mark}</span>
      </header>
      <figure>
        <Drawing id={sheet.id} height={height} title={sheet.title} description={says.join(" ")}>
          {shown}
        </Drawing>
      </figure>
      {lines && (
        <ul className="rows">
          {lines.map(({ what, value, how }) => (
            <li className="entry" key={what}>
              <b>{what}</b>
              <span className="lettering">{value}</span>
              <span className="muted">{whole(how)}</span>
            </li>
          ))}
        </ul>
      )}
      {"note" in sheet && <p className="small">{whole(sheet.note)}</p>}
      <TitleBlock
        columns={4}
        entries={[
          { key: "Drawing", value: sheet.name },
          { key: "Sheet", value: `${sheet.id} of ${sheets.length}` },
          ...titleBlock,
        ]}
      />
    </section>
  );
}

type Line = { what: string; value?: string; how: string };
type SheetDrawing = { height: number; says: readonly string[]; shown: ReactNode };
/** Parts of the whole width. */
type Bar = { from?: number; to: number; text: string; pen?: "chalk" | "safety" };
type Content = { drawing: SheetDrawing; lines?: readonly Line[] };

const contents: Record<Sheet["id"], () => Content> = {
  "A-1": () => {
    const rows = automationRows();
    const together = (of: (row: (typeof rows)[number]) => number) =>
      rows.reduce((sum, row) => sum + of(row), 0);
    // Room for the longest bar's words.
    const most = Math.max(...rows.map(({ saved }) => saved)) * 1.2;
    return {
      drawing: drawnBars(
        rows.map(({ what, saved, build }) => ({
          label: what,
          bars: [
            { to: saved / most, text: `${dollars(saved)} saved` },
            { to: build / most, text: `${dollars(build)} to build`, pen: "safety" },
          ],
        })),
      ),
      lines: [
        ...rows.map(({ what, hours, run, months }) => ({
          what,
          value: `${months.toFixed(1)} months`,
          how: `${hours} hours a week; ${dollars(run)} a year to run`,
        })),
        {
          what: `Together, ${together(({ hours }) => hours)} hours a week`,
          value: dollars(together(({ saved, run }) => saved - run)),
          how: `${dollars(together(({ saved }) => saved))} saved − ${dollars(together(({ run }) => run))} to run; ${dollars(together(({ build }) => build))} to build, once`,
        },
      ],
    };
  },

  "A-2": () => ({
    drawing: drawnBars(
      times.map(({ what, hours, beside }) => ({
        label: what,
        bars: [
          { to: 1, text: lengthOf(hours), pen: "safety" },
          { to: beside / hours, text: lengthOf(beside) },
        ],
      })),
    ),
    lines: times.map(({ what, says, source }) => ({
      what,
      how: source ? `${says}. ${sources[source].publisher}, “${sources[source].title}”` : says,
    })),
  }),

  "A-3": () => ({
    drawing: drawnBars(
      automationRows().map(({ what, hours, fromDay, toDay }) => ({
        label: `${what}, ${hours} h`,
        bars: [{ from: (fromDay - 1) / 90, to: toDay / 90, text: `${fromDay}-${toDay}` }],
      })),
    ),
  }),

  "A-4": () => ({
    drawing: {
      height: 330,
      says: flow.map(({ name }, index) => `${index + 1}: ${name}.`),
      shown: (
        <>
          <Draw
            route="M99 62V104M99 148V190M186 212H216V112H246M216 212V262H246M329 284V304"
            safety={dot(216, 212, 8)}
          />
          <FlowBox x={20} y={18} number={1} />
          <FlowBox x={20} y={104} number={2} />
          <FlowBox x={20} y={190} number={3} />
          <FlowBox x={246} y={90} number={4} pen="safety" />
          <FlowBox x={246} y={240} number={5} pen="chalk" />
          <Note x={226} y={174} text="yes" />
          <Note x={226} y={232} text="no" />
          <Note x={329} y={324} textAnchor="middle" text="6 Calendar" />
        </>
      ),
    },
    lines: flow.map(({ name, rule }, index) => ({ what: `${index + 1} ${name}`, how: rule })),
  }),
};

type FlowBoxProps = { x: number; y: number; number: number; pen?: "part" | "chalk" | "safety" };

function FlowBox({ number, ...place }: FlowBoxProps) {
  const name = flow[number - 1]?.name ?? "";
  return <Part {...place} width={166} height={44} label={`${number} ${name}`} />;
}

const left = 20;
const full = 300;

function drawnBars(rows: readonly { label: string; bars: readonly Bar[] }[]): SheetDrawing {
  const rowHeight = 30 + 22 * Math.max(...rows.map(({ bars }) => bars.length));
  return {
    height: rows.length * rowHeight + 24,
    says: rows.map(({ label, bars }) => `${label}: ${bars.map(({ text }) => text).join(", ")}.`),
    shown: (
      <>
        {rows.map(({ label, bars }, row) => {
          const y = row * rowHeight + 26;
          return (
            <g key={label}>
              <Label x={left + 8} y={y + 4} text={label} />
              {bars.map(({ from = 0, to, text, pen = "chalk" }, index) => {
                const x = Math.round(left + from * full);
                const width = Math.max(2, Math.round((to - from) * full));
                const top = y + 12 + index * 22;
                return (
                  <g key={pen}>
                    <Draw {...{ [pen]: `M${x} ${top}h${width}v16h-${width}z` }} />
                    <Note x={x + width + 8} y={top + 13} text={text} />
                  </g>
                );
              })}
            </g>
          );
        })}
        <Draw line={`M${left} 18V${rows.length * rowHeight + 16}`} />
      </>
    ),
  };
}
