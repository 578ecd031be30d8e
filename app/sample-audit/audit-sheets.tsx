import type { ReactNode } from "react";
import { automationRows, gapCosts, sampleAudit, workRows } from "#content/sample-audit.ts";
import { sources } from "#content/sources.ts";
import { Draw, Drawing, dot, Label, Note, Part } from "../drawings/pens.tsx";
import { unbroken } from "../ui/unbroken.tsx";

type Sheet = (typeof sampleAudit.sheets)[number];

const { hourly, weeks, gap, flow, tests, times, working } = sampleAudit;

const dollars = (amount: number) => `$${Math.round(amount).toLocaleString("en-US")}`;

function together<Value>(rows: readonly Value[], of: (row: Value) => number): number {
  return rows.reduce((sum, row) => sum + of(row), 0);
}

/** No line of a working begins with a sign, or parts a number from its unit. */
const whole = (text: string) => unbroken(text.replace(/ ([×÷=−]) /g, "\u00a0$1 "));

/** A minute, hours or days, as one would say them. */
function lengthOf(hours: number): string {
  if (hours < 1) return `${Math.round(hours * 60)} min`;
  return hours < 24 ? `${hours} h` : `${hours / 24} days`;
}

/** A sheet's drawing, its working line by line, and how it was counted. */
export function SheetContent({ sheet }: { sheet: Sheet }) {
  const { drawing, lines, note } = contents[sheet.id]();
  const { height, says, shown } = drawing;
  return (
    <>
      <figure>
        <Drawing id={sheet.id} height={height} title={sheet.title} description={says.join(" ")}>
          {shown}
        </Drawing>
      </figure>
      <ul className="rows audit-lines">
        {lines.map(({ what, value, how }) => (
          <li className="entry" key={what}>
            <b>{what}</b>
            <span className="lettering">{value}</span>
            {how && <span className="muted">{typeof how === "string" ? whole(how) : how}</span>}
          </li>
        ))}
      </ul>
      {note && <p className="small">{whole(note)}</p>}
    </>
  );
}

type Line = { what: string; value?: string; how?: ReactNode };
type SheetDrawing = { height: number; says: readonly string[]; shown: ReactNode };
/** One or two a row, as parts of the whole width. */
type Bar = { from?: number; to: number; text: string; pen?: "chalk" | "safety" };
type BarRow = { label: string; bars: readonly Bar[] };
type Content = { drawing: SheetDrawing; lines: readonly Line[]; note?: string };

const contents: Record<Sheet["id"], () => Content> = {
  "a-1-1": () => {
    const rows = workRows();
    const hours = together(rows, (row) => row.hours);
    return {
      drawing: drawnBars(
        rows.map(({ what, hours }) => ({
          label: what,
          bars: [{ to: hours / 8, text: `${hours} h` }],
        })),
      ),
      lines: [
        ...rows.map(({ what, times, minutes, hours, dollars: amount }) => ({
          what,
          value: dollars(amount),
          how: `${times} × ${minutes} min = ${hours} h; × $${hourly} × ${weeks} weeks`,
        })),
        {
          what: `Together, ${hours} hours a week`,
          value: dollars(together(rows, (row) => row.dollars)),
        },
      ],
      note: working.work,
    };
  },

  "a-1-2": () => {
    const rows = automationRows();
    const most = Math.max(...rows.map(({ saved }) => saved));
    return {
      drawing: drawnBars(
        rows.map(({ what, saved, build }) => ({
          label: what,
          bars: [
            { to: saved / most, text: dollars(saved) },
            { to: build / most, text: dollars(build), pen: "safety" },
          ],
        })),
      ),
      lines: [
        ...rows.map(({ what, hours, saved, build, run, months }) => ({
          what,
          value: `${months.toFixed(1)} months`,
          how: `${hours} h × $${hourly} × ${weeks} = ${dollars(saved)} saved; ${dollars(build)} to build, ${dollars(run)} a year to run`,
        })),
        {
          what: `Together, ${together(rows, (row) => row.hours)} hours a week`,
          value: dollars(together(rows, (row) => row.saved - row.run)),
          how: `${dollars(together(rows, (row) => row.saved))} saved − ${dollars(together(rows, (row) => row.run))} to run; ${dollars(together(rows, (row) => row.build))} to build, once`,
        },
      ],
      note: working.automations,
    };
  },

  "a-2-1": () => ({
    drawing: drawnBars(
      times.map(({ what, hours, beside }) => ({
        label: what,
        bars: [
          { to: 1, text: lengthOf(hours), pen: "safety" },
          { to: beside / hours, text: lengthOf(beside) },
        ],
      })),
    ),
    lines: times.map(({ what, hours, beside, says, source }) => ({
      what,
      value: `${lengthOf(hours)} / ${lengthOf(beside)}`,
      how: (
        <>
          {says}
          {source && `. ${sources[source].publisher}, “${sources[source].title}”`}
        </>
      ),
    })),
  }),

  "a-2-2": () => {
    const { callers, money } = gapCosts();
    return {
      drawing: drawnBars([
        { label: working.callers, bars: [{ to: 1, text: dollars(callers), pen: "safety" }] },
        {
          label: working.money,
          bars: [{ to: money / callers, text: dollars(money), pen: "safety" }],
        },
      ]),
      lines: [
        {
          what: working.callers,
          value: dollars(callers),
          how: `${gap.newCallers} new callers a week × (1 in ${gap.hiredSoon} hired soon − 1 in ${gap.hiredLate} hired late) × $${gap.job} × ${weeks} weeks`,
        },
        {
          what: working.money,
          value: dollars(money),
          how: `${dollars(gap.billedMonthly)} a month × ${gap.daysLate} of 30 days late × ${gap.interest}% a year`,
        },
        { what: "Together, a year", value: dollars(callers + money) },
      ],
      note: working.gap,
    };
  },

  "a-3-1": () => {
    const rows = automationRows();
    return {
      drawing: drawnBars(
        rows.map(({ what, fromDay, toDay }) => ({
          label: what,
          bars: [{ from: (fromDay - 1) / 90, to: toDay / 90, text: `${fromDay}-${toDay}` }],
        })),
      ),
      lines: rows.map(({ what, fromDay, toDay, months }) => ({
        what,
        value: `day ${fromDay} to ${toDay}`,
        how: `pays back in ${months.toFixed(1)} months (A-1)`,
      })),
    };
  },

  "a-3-2": () => {
    const rows = automationRows();
    const xOf = (day: number) => Math.round(24 + day * 4);
    const yOf = (hours: number) => Math.round(196 - hours * 10);
    const points = rows.map(({ toDay, hoursByThen }) => ({
      x: xOf(toDay),
      y: yOf(hoursByThen),
      text: `${hoursByThen} h`,
    }));
    return {
      drawing: {
        height: 246,
        says: rows.map(({ toDay, hoursByThen }) => `Day ${toDay}: ${hoursByThen} hours.`),
        shown: (
          <>
            <Draw
              line={`M${xOf(0)} 30V196H${xOf(92)}`}
              route={`M${xOf(0)} 196${points.map(({ x, y }) => `H${x}V${y}`).join("")}`}
              safety={points.map(({ x, y }) => dot(x, y, 6)).join("")}
            />
            {points.map(({ x, y, text }) => (
              <Note key={x} x={x} y={y - 14} textAnchor="middle" text={text} />
            ))}
            {[30, 60, 90].map((day) => (
              <Note key={day} x={xOf(day)} y={220} textAnchor="middle" text={`day ${day}`} />
            ))}
          </>
        ),
      },
      lines: rows.map(({ what, toDay, hours, hoursByThen }) => ({
        what,
        value: `${hoursByThen} h a week`,
        how: `+ ${hours} h from day ${toDay}`,
      })),
      note: working.roadmap,
    };
  },

  "a-4-1": () => ({
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
          <Note x={226} y={242} text="no" />
          <Note x={329} y={324} textAnchor="middle" text="6 Calendar" />
        </>
      ),
    },
    lines: flow.map(({ name, rule }, index) => ({ what: `${index + 1} ${name}`, how: rule })),
  }),

  "a-4-2": () => ({
    drawing: {
      height: tests.length * 56 + 20,
      says: tests.map(({ what, pass }) => `${what}: ${pass}.`),
      shown: tests.map(({ what }, index) => (
        <g key={what}>
          <Draw
            part={`M24 ${index * 56 + 22}h32v32h-32z`}
            route={`m31 ${index * 56 + 38} 7 8 14-18`}
          />
          <Label x={72} y={index * 56 + 43} text={what.split(",")[0]} />
        </g>
      )),
    },
    lines: tests.map(({ what, pass }) => ({ what, how: pass })),
  }),
};

type FlowBoxProps = { x: number; y: number; number: number; pen?: "part" | "chalk" | "safety" };

function FlowBox({ number, ...place }: FlowBoxProps) {
  const name = flow[number - 1]?.name ?? "";
  return <Part {...place} width={166} height={44} label={`${number} ${name}`} />;
}

const left = 20;
const full = 300;

/** Each row's bars under its name, with their figures at their ends. */
function drawnBars(rows: readonly BarRow[]): SheetDrawing {
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
