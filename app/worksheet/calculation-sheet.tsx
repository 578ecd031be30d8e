import { Fragment, type ReactNode, useEffect, useId, useState } from "react";
import {
  type BroughtSumId,
  broughtSums,
  type Worksheet,
  type WorksheetFactor,
  worksheetWords,
} from "#content/worksheet.ts";
import { Link } from "../ui/link.tsx";
import {
  exampleNumbers,
  lineSum,
  readNumber,
  type SheetNumbers,
  sheetSum,
  writeDollars,
  writeNumber,
} from "./worksheet-sum.ts";

const contactPath = "/contact";

/**
 * The contact page's address with a sum on board, so that it arrives without scripts and nothing is stored; without one
 * while there is none.
 */
export function pathWithSum(sheet: BroughtSumId, dollars: number | null): string {
  return dollars === null ? contactPath : `${contactPath}?sheet=${sheet}&sum=${dollars}`;
}

/**
 * The message that such an address brings, for the visitor to go on with; empty where it brings none. The words are the
 * site's own, so that nobody can put others into them by a link.
 */
export function broughtMessage(search: string): string {
  const query = new URLSearchParams(search);
  const sheet = query.get("sheet") ?? "";
  const dollars = readNumber(query.get("sum") ?? "");
  if (!Object.hasOwn(broughtSums, sheet) || dollars === null) return "";
  return worksheetWords.message(sheet as BroughtSumId, writeDollars(dollars));
}

/** In place of a sum while one of its fields holds no number. */
const noSum = "–";

/**
 * A sum as it would stand on a calculation sheet. Printed, and without scripts, it is the example with lines to write on;
 * in the browser its numbers are fields, and the example stays beneath them, struck out.
 */
export function CalculationSheet(sheet: Worksheet) {
  const id = useId();
  const [isLive, setIsLive] = useState(false);
  const [numbers, setNumbers] = useState<SheetNumbers>(() => exampleNumbers(sheet));
  useEffect(() => setIsLive(true), []);
  const sum = sheetSum(sheet, numbers);
  const written = sum === null ? null : writeDollars(sum);

  function write(line: number, factor: number, number: number | null) {
    setNumbers((before) => before.with(line, (before[line] ?? []).with(factor, number)));
  }

  return (
    <div className="sheet calculation">
      <p className="lettering">{worksheetWords.caption}</p>
      <dl>
        {sheet.lines.map(({ what, factors }, line) => {
          const isChanged = factors.some(({ value }, index) => numbers[line]?.[index] !== value);
          const value = lineSum(factors, numbers[line] ?? []);
          return (
            <div key={what}>
              <dt>{what}</dt>
              <dd className="calculation-working lettering">
                {factors.map((factor, index) => (
                  <Fragment key={factor.name}>
                    <Factor factor={factor} isFollowed={index < factors.length - 1}>
                      {isLive ? (
                        <NumberField
                          name={`${what}: ${factor.name}`}
                          example={factor.value}
                          hintId={`${id}-${line}`}
                          onWrite={(number) => write(line, index, number)}
                        />
                      ) : (
                        <b>{writeNumber(factor.value)}</b>
                      )}
                    </Factor>{" "}
                  </Fragment>
                ))}
              </dd>
              <dd className="calculation-value">{value === null ? noSum : writeDollars(value)}</dd>
              <dd className="calculation-example lettering">
                {value === null && <span id={`${id}-${line}`}>{worksheetWords.noNumber}</span>}
                {isChanged && <s>{workingOf(factors)}</s>}
              </dd>
            </div>
          );
        })}
        <div className="calculation-total">
          <dt>{sheet.total}</dt>
          <dd className="calculation-value">
            <output>{written ?? noSum}</output>
          </dd>
        </div>
      </dl>
      <Link className="button" to={pathWithSum(sheet.id, sum)}>
        {worksheetWords.bring(written)}
      </Link>
    </div>
  );
}

/** The words around a number and the sign after them; none of it stands alone at either end of a line. */
function Factor({ factor, isFollowed, children }: FactorProps) {
  const [before, after] = factor.text.split("#");
  return (
    <span>
      {before}
      {children}
      {after}
      {isFollowed && " ×"}
    </span>
  );
}

type FactorProps = { factor: WorksheetFactor; isFollowed: boolean; children: ReactNode };

type NumberFieldProps = {
  name: string;
  example: number;
  /** What says that it holds no number, while it doesn't. */
  hintId: string;
  onWrite: (number: number | null) => void;
};

function NumberField({ name, example, hintId, onWrite }: NumberFieldProps) {
  const [text, setText] = useState(writeNumber(example));
  const isNumber = readNumber(text) !== null;
  return (
    <input
      type="text"
      inputMode="decimal"
      autoComplete="off"
      aria-label={name}
      aria-invalid={!isNumber || undefined}
      aria-describedby={isNumber ? undefined : hintId}
      size={Math.max(2, text.length)}
      maxLength={13}
      value={text}
      onFocus={(event) => event.target.select()}
      onChange={(event) => {
        setText(event.target.value);
        onWrite(readNumber(event.target.value));
      }}
    />
  );
}

/** `10 a week × 1 in 5 hired × $400`; no line begins with the sign. */
function workingOf(factors: readonly WorksheetFactor[]): string {
  return factors.map(({ text, value }) => text.replace("#", writeNumber(value))).join("\u00a0× ");
}
