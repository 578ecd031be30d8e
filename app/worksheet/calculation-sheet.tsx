import { Fragment, type ReactNode, useEffect, useId, useState } from "react";
import {
  type BroughtSumId,
  broughtSums,
  type Worksheet,
  type WorksheetFactor,
  worksheetWords,
} from "#content/worksheet.ts";
import { Link } from "../ui/link.tsx";

const contactPath = "/contact";

/** Carries the sum in the contact page's address, so that it works without scripts and nothing is stored. */
export function pathWithSum(sheet: BroughtSumId, dollars: number | null): string {
  return dollars === null ? contactPath : `${contactPath}?sheet=${sheet}&sum=${dollars}`;
}

/** The message of such an address, or "". Links choose only among the site's own words. */
export function broughtMessage(search: string): string {
  const query = new URLSearchParams(search);
  const sheet = query.get("sheet") ?? "";
  const dollars = readNumber(query.get("sum") ?? "");
  if (!Object.hasOwn(broughtSums, sheet) || dollars === null) return "";
  return worksheetWords.message(sheet as BroughtSumId, writeDollars(dollars));
}

/** Shown while a field has no number. */
const noSum = "–";

/**
 * A worksheet. In print and without scripts it is an example with lines to write on; in the browser its numbers are
 * fields, and a changed line shows the example struck out.
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
    <div className="worksheet below">
      <p className="lettering">{worksheetWords.caption}</p>
      <dl>
        {sheet.lines.map(({ what, factors }, line) => {
          const isChanged = factors.some(({ value }, index) => numbers[line]?.[index] !== value);
          const value = lineSum(factors, numbers[line] ?? []);
          return (
            <div className="entry" key={what}>
              <dt>{what}</dt>
              <dd className="worksheet-value">{value === null ? noSum : writeDollars(value)}</dd>
              <dd className="worksheet-working lettering">
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
              <dd className="worksheet-example lettering">
                {value === null && <span id={`${id}-${line}`}>{worksheetWords.noNumber}</span>}
                {isChanged && <s>{workingOf(factors)}</s>}
              </dd>
            </div>
          );
        })}
        <div className="entry worksheet-total">
          <dt>{sheet.total}</dt>
          <dd className="worksheet-value">
            <output>{written ?? noSum}</output>
          </dd>
        </div>
      </dl>
      <Link className="button below" to={pathWithSum(sheet.id, sum)}>
        {worksheetWords.bring(written)}
      </Link>
    </div>
  );
}

/** Keeps a number, its words and the sign after them on one line. */
function Factor({ factor, isFollowed, children }: FactorProps) {
  const [before, after] = factor.text.split("#");
  return (
    <span className="whitespace-nowrap">
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
  /** The element that says the field has no number. */
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

/** By line and factor; null where a field has no number. */
type SheetNumbers = readonly (readonly (number | null)[])[];

export function exampleNumbers({ lines }: Worksheet): SheetNumbers {
  return lines.map(({ factors }) => factors.map(({ value }) => value));
}

/** The product of a line's factors in whole dollars; null if a number is missing or the product is too large. */
export function lineSum(
  factors: readonly WorksheetFactor[],
  numbers: readonly (number | null)[],
): number | null {
  let sum = 1;
  for (const [index, { worth = 1, divides }] of factors.entries()) {
    const number = numbers[index] ?? null;
    if (number === null || (divides && number === 0)) return null;
    sum *= divides ? 1 / number : number * worth;
  }
  return withinMax(Math.round(sum));
}

/** The lines' sum in whole dollars; null if a line has none, or the sum is too large. */
export function sheetSum({ lines }: Worksheet, numbers: SheetNumbers): number | null {
  let sum = 0;
  for (const [index, { factors }] of lines.entries()) {
    const line = lineSum(factors, numbers[index] ?? []);
    if (line === null) return null;
    sum += line;
  }
  return withinMax(sum);
}

/** The largest field or sum still fits on a phone. */
function withinMax(number: number): number | null {
  return number <= 1_000_000_000 ? number : null;
}

/**
 * Reads `$1,100.50`, `12 %`, `1 100`, `0.5`, and a decimal comma as in `0,5`, `12,50` and `1 100,50`. A comma before
 * three digits parts thousands. Null if it isn't a number, or is negative or too large.
 */
export function readNumber(text: string): number | null {
  let plain = text.replaceAll(/[\s$%]/g, "");
  if (/^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/.test(plain)) plain = plain.replaceAll(",", "");
  else if (/^[1-9]\d{0,2}(?:\.\d{3})+,\d*$/.test(plain)) plain = plain.replaceAll(".", "");
  plain = plain.replace(",", ".");
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(plain)) return null;
  return withinMax(Number(plain));
}

function writeNumber(number: number): string {
  return number.toLocaleString("en-US", { maximumFractionDigits: 2 });
}

function writeDollars(dollars: number): string {
  return `$${writeNumber(dollars)}`;
}
