import { useEffect, useRef, useState } from "react";
import { timesInYear, type Worksheet } from "#content/worksheet.ts";
import { weekLines, yourWeek } from "#content/your-week.ts";
import { piece } from "../alive/piece.tsx";
import { bringMessage } from "../forms/contact-form.tsx";
import { useSiteFacts } from "../site-facts.ts";
import { Button } from "../ui/button.tsx";
import { Link } from "../ui/link.tsx";
import { TitleBlock } from "../ui/title-block.tsx";
import { numbersOf, sheetSum, workingOf, writeDollars } from "./calculation-sheet.tsx";
import {
  amountOf,
  emptyWeek,
  keepsWeek,
  useWeek,
  type Week,
  type WrittenSum,
  writeWeek,
} from "./week.ts";

const sumsOf = ({ sums }: Week) => weekLines.flatMap(({ id }) => sums[id] ?? []);
const worksheetPath = (id: string) => `/use-cases/${id}#worksheet`;

/** At the page's edge: how many lines a visitor has written, and what they come to. */
export const WeekTab = piece("WeekTab", () => {
  const sums = sumsOf(useWeek());
  const text = sums.length > 0 ? `${yourWeek.count(sums.length)}, ${amountOf(sums)}` : "";
  const [said, setSaid] = useState("");
  const latest = useRef("");
  latest.current = text;
  // Said once a number is written, and not at each of its digits.
  useEffect(() => {
    const say = () => setSaid(latest.current);
    document.addEventListener("change", say);
    return () => document.removeEventListener("change", say);
  }, []);
  return (
    <div className="week-tab">
      {text && location.pathname !== yourWeek.head.path && (
        <aside aria-label={yourWeek.heading}>
          <Link className="lettering" to={yourWeek.head.path}>
            {text}
          </Link>
        </aside>
      )}
      <span className="sr-only" role="status">
        {said}
      </span>
    </div>
  );
});

/** Home's list of what to hand over: the sheet's lines, filled where the visitor has written a sum. */
export const WeekLines = piece("WeekLines", () => {
  const { sums } = useWeek();
  return (
    <ul className="rows linked hand-over">
      {weekLines.map(({ id, label }) => {
        const sum = sums[id];
        return (
          <li key={id}>
            <Link to={worksheetPath(id)}>
              {label}{" "}
              <span className={`lettering ${sum ? "written" : ""}`}>
                {sum ? amountOf([sum]) : yourWeek.empty}
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
});

type WeekSheetProps = { worksheets: readonly Worksheet[] };

export const WeekSheet = piece("WeekSheet", ({ worksheets }: WeekSheetProps) => {
  const week = useWeek();
  const { today } = useSiteFacts();
  const [cleared, setCleared] = useState<Week | null>(null);
  const [isKept, setIsKept] = useState(true);
  useEffect(() => setIsKept(keepsWeek()), []);
  const sums = sumsOf(week);
  const { firm, firmExample, drawnBy, date, scope, lines } = yourWeek.titleBlock;

  function takeToCall() {
    const written = weekLines.flatMap(({ id, label }) => {
      const sum = week.sums[id];
      const sheet = worksheets.find((each) => each.id === id);
      if (!sum || !sheet) return [];
      return `${label}: ${amountOf([sum])} (${workingLines(sheet, sum).join("; ")})`.replaceAll(
        "\u00a0",
        " ",
      );
    });
    bringMessage(yourWeek.message(week.firm.trim(), written, amountOf(sums)));
  }

  return (
    <div className="week">
      <section className="sheet lifted" aria-label={yourWeek.heading}>
        <Ruler week={week} worksheets={worksheets} />
        <TitleBlock
          columns={4}
          entries={[
            {
              key: firm,
              value: (
                <input
                  type="text"
                  autoComplete="organization"
                  aria-label={firm}
                  placeholder={firmExample}
                  maxLength={80}
                  value={week.firm}
                  onChange={({ currentTarget }) =>
                    writeWeek({ ...week, firm: currentTarget.value })
                  }
                />
              ),
            },
            drawnBy,
            { key: date, value: today },
            { key: scope, value: lines(sums.length, weekLines.length) },
          ]}
        />
      </section>
      <p className="small below">{yourWeek.year}</p>
      {!isKept && <p>{yourWeek.notKept}</p>}
      <p className="without-scripts">{yourWeek.withoutScripts}</p>
      {sums.length > 0 ? (
        <>
          <div className="actions cluster">
            <Link className="button button-primary" to="/contact#contact-form" onClick={takeToCall}>
              {yourWeek.take}
            </Link>
            <p className="cluster">
              <Button variant="plain" onClick={() => print()}>
                {yourWeek.print}
              </Button>
              <Button
                variant="plain"
                onClick={() => {
                  setCleared(week);
                  writeWeek(emptyWeek);
                }}
              >
                {yourWeek.clear}
              </Button>
            </p>
          </div>
          <p className="small below">{yourWeek.takeNote}</p>
        </>
      ) : (
        <div className="actions cluster">
          <p role="status">{cleared ? yourWeek.cleared : yourWeek.nothing}</p>
          {cleared && (
            <Button variant="plain" autoFocus onClick={() => writeWeek(cleared)}>
              {yourWeek.putBack}
            </Button>
          )}
        </div>
      )}
    </div>
  );
});

/** One ruler in dollars a year, and a bar on it for each written line. */
function Ruler({ week, worksheets }: WeekSheetProps & { week: Week }) {
  const sums = sumsOf(week);
  const end = rulerEnd(Math.max(1, ...sums.map(({ dollars }) => dollars)));
  return (
    <div className="scale roadmap">
      <p className="ruler apart lettering" aria-hidden="true">
        {sums.length > 0
          ? [0, end / 2, end].map((tick) => <span key={tick}>{writeDollars(tick)}</span>)
          : yourWeek.ruler}
      </p>
      <ul>
        {weekLines.map(({ id, label }) => {
          const sum = week.sums[id];
          const sheet = worksheets.find((each) => each.id === id);
          return (
            <li className={`entry ${sum ? "" : "unwritten"}`} key={id}>
              <Link to={worksheetPath(id)}>{label}</Link>
              <span className="lettering">{sum ? amountOf([sum]) : yourWeek.empty}</span>
              {sum && sheet && (
                <>
                  <svg className="bar" aria-hidden="true">
                    <rect width={`${((sum.dollars / end) * 100).toFixed(2)}%`} />
                  </svg>
                  {workingLines(sheet, sum).map((working) => (
                    <p className="lettering" key={working}>
                      {working}
                    </p>
                  ))}
                </>
              )}
            </li>
          );
        })}
      </ul>
      {sums.length > 0 && (
        <p className="entry week-total worksheet-value">
          <b>{yourWeek.together}</b>
          <b>{amountOf(sums)}</b>
        </p>
      )}
    </div>
  );
}

/** The next round number: 1 to 10 of the largest unit. */
function rulerEnd(dollars: number): number {
  const unit = 10 ** Math.floor(Math.log10(dollars));
  return Math.ceil(dollars / unit) * unit;
}

/** How a sum comes about, line by line: `Missed calls: 10 a week × 1 in 5 hired × $400`. */
function workingLines(sheet: Worksheet, { texts }: WrittenSum): string[] {
  const numbers = numbersOf(sheet, texts);
  const times = timesInYear[sheet.per];
  const lines = sheet.lines.map(
    ({ what, factors }, line) => `${what}: ${workingOf(factors, numbers[line])}`,
  );
  const sum = writeDollars(sheetSum(sheet, numbers) ?? 0);
  return times === 1 ? lines : [...lines, `${sum} a ${sheet.per} × ${times}`];
}
