import { Fragment, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { trades } from "#content/trades.ts";
import {
  type BroughtSumId,
  broughtSums,
  timesInYear,
  type Worksheet,
  type WorksheetFactor,
  worksheetWords,
} from "#content/worksheet.ts";
import { yourWeek } from "#content/your-week.ts";
import { piece } from "../alive/piece.tsx";
import { followTrade, inTrade, readTrade } from "../objects/trade.ts";
import { Link } from "../ui/link.tsx";
import { readWeek, writeSum } from "./week.ts";

const contactPath = "/contact";

/** In the address of a page that adds up without scripts: the pressed button, and each field. */
const addsUp = "add";
const numberField = "n";
const maxLength = 13;

/** Carries the sum in the contact page's address, so that it works without scripts and nothing is stored. */
function pathWithSum(sheet: BroughtSumId, dollars: number | null): string {
  return dollars === null ? contactPath : `${contactPath}?sheet=${sheet}&sum=${dollars}`;
}

/** The message of such an address, or of a sheet's fields, or "". Links choose only among the site's own words. */
export function broughtMessage(search: string, sheets: readonly Worksheet[] = []): string {
  const query = new URLSearchParams(search);
  const id = query.get("sheet") ?? "";
  const sheet = sheets.find((each) => each.id === id);
  const texts = sheet ? writtenTexts(sheet, search) : null;
  const dollars =
    sheet && texts ? sheetSum(sheet, numbersOf(sheet, texts)) : readNumber(query.get("sum") ?? "");
  if (!Object.hasOwn(broughtSums, id) || dollars === null) return "";
  return worksheetWords.message(id as BroughtSumId, writeDollars(dollars));
}

/** Shown while a field has no number. */
const noSum = "–";

type CalculationSheetProps = {
  sheet: Worksheet;
  /** The fields that came in the page's address, from a visitor without scripts. */
  written: readonly string[] | null;
};

/** The fields in the address of a page that adds up a sheet without scripts. */
export function writtenTexts({ lines }: Worksheet, search: string): readonly string[] | null {
  const texts = new URLSearchParams(search).getAll(numberField);
  const fields = lines.flatMap(({ factors }) => factors);
  return texts.length === fields.length ? texts.map((text) => text.slice(0, maxLength)) : null;
}

/**
 * A worksheet, with example numbers that a visitor replaces; a changed line shows the example struck out. It adds up as
 * one writes, and without scripts its page answers it. A sum of one's own is a line on the visitor's sheet (week.ts).
 */
export const CalculationSheet = piece(
  "CalculationSheet",
  ({ sheet: given, written }: CalculationSheetProps) => {
    const form = useRef<HTMLFormElement>(null);
    const [sheet, setSheet] = useState<ReturnType<typeof inTrade>>(given);
    const examples = exampleTexts(sheet);
    const [texts, setTexts] = useState(written ?? examples);
    const [isAlive, setIsAlive] = useState(false);
    const numbers = numbersOf(sheet, texts);
    const sum = sheetSum(sheet, numbers);

    function fields() {
      return [...(form.current?.querySelectorAll("input") ?? [])];
    }

    /** Of whichever trade: a browser that goes back writes the numbers of then into the fields. */
    function isExample(its: readonly string[]) {
      return trades.some(({ id }) =>
        exampleTexts(inTrade(given, id)).every((text, index) => text === its[index]),
      );
    }

    function read(its = sheet) {
      const now = fields().map(({ value }) => value);
      setTexts(now);
      const itsNumbers = numbersOf(its, now);
      const dollars = sheetSum(its, itsNumbers);
      if (isExample(now)) writeSum(sheet.id, null);
      // While a field is being written, the last whole sum stays.
      else if (dollars !== null) {
        const times = timesInYear[sheet.per];
        const hours = (sheetHours(sheet, itsNumbers) * times) / timesInYear.week;
        writeSum(sheet.id, { texts: now, dollars: dollars * times, hours });
      }
    }

    /** A visitor may have written before the script came, or on an earlier visit: no trade's example replaces that. */
    function showInTrade() {
      const its = inTrade(given, readTrade());
      if (isExample(fields().map(({ value }) => value))) {
        const kept = readWeek().sums[given.id]?.texts ?? exampleTexts(its);
        for (const [index, field] of fields().entries()) field.value = kept[index] ?? "";
      }
      setSheet(its);
      read(its);
    }

    // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it comes.
    useLayoutEffect(() => {
      setIsAlive(true);
      return followTrade(showInTrade);
    }, []);

    return (
      <form
        className="worksheet below"
        id="worksheet"
        action="#worksheet"
        ref={form}
        onSubmit={(event) => event.preventDefault()}
        onInput={() => read()}
      >
        <p className="lettering">{worksheetWords.caption(sheet.trade)}</p>
        <dl>
          {sheet.lines.map(({ what, factors }, line) => {
            const value = lineSum(factors, numbers[line] ?? []);
            const isChanged = factors.some(
              (factor, index) => numbers[line]?.[index] !== factor.value,
            );
            const first = sheet.lines.slice(0, line).flatMap((each) => each.factors).length;
            return (
              <div className="entry" key={what}>
                <dt>{what}</dt>
                <dd className="worksheet-value">{value === null ? noSum : writeDollars(value)}</dd>
                <dd className="worksheet-working lettering">
                  {factors.map((factor, index) => (
                    <Fragment key={factor.name}>
                      <Factor factor={factor} isFollowed={index < factors.length - 1}>
                        <NumberField
                          name={`${what}: ${factor.name}`}
                          text={texts[first + index] ?? ""}
                          hintId={`worksheet-${line}`}
                        />
                      </Factor>{" "}
                    </Fragment>
                  ))}
                </dd>
                <dd className="worksheet-example lettering">
                  {value === null && (
                    <span className="field-error" id={`worksheet-${line}`}>
                      {worksheetWords.noNumber}
                    </span>
                  )}
                  {isChanged && <s>{workingOf(factors)}</s>}
                </dd>
              </div>
            );
          })}
          <div className="entry worksheet-total">
            <dt>{sheet.total}</dt>
            <dd className="worksheet-value">
              <output>{sum === null ? noSum : writeDollars(sum)}</output>
            </dd>
          </div>
        </dl>
        {/* Alive, it adds up by itself; each takes the other's place. */}
        {isAlive ? (
          <>
            <Link className="button below" to={yourWeek.head.path}>
              {worksheetWords.sheet}
            </Link>
            <Link className="button below" to={pathWithSum(sheet.id, sum)}>
              {worksheetWords.bring}
            </Link>
          </>
        ) : (
          <>
            <button type="submit" className="button below" name={addsUp} value="1">
              {worksheetWords.addUp}
            </button>
            <button
              type="submit"
              className="button below"
              formAction={contactPath}
              name="sheet"
              value={sheet.id}
            >
              {worksheetWords.bring}
            </button>
          </>
        )}
      </form>
    );
  },
);

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
  /** As it is written now. */
  text: string;
  /** The element that says the field has no number. */
  hintId: string;
};

function NumberField({ name, text, hintId }: NumberFieldProps) {
  const [first] = useState(text);
  const isNumber = readNumber(text) !== null;
  return (
    <input
      type="text"
      name={numberField}
      inputMode="decimal"
      autoComplete="off"
      aria-label={name}
      aria-invalid={!isNumber || undefined}
      aria-describedby={isNumber ? undefined : hintId}
      size={Math.max(2, text.length)}
      maxLength={maxLength}
      defaultValue={first}
      onFocus={(event) => event.target.select()}
    />
  );
}

/** `10 a week × 1 in 5 hired × $400`, with the example numbers or others; lines break after the sign alone. */
export function workingOf(
  factors: readonly WorksheetFactor[],
  numbers: SheetNumbers[number] = factors.map(({ value }) => value),
): string {
  const worked = factors.map(({ text }, index) =>
    text.replace("#", writeNumber(numbers[index] ?? 0)).replaceAll(" ", "\u00a0"),
  );
  return worked.join("\u00a0× ");
}

function exampleTexts({ lines }: Worksheet): string[] {
  return lines.flatMap(({ factors }) => factors.map(({ value }) => writeNumber(value)));
}

/** `texts` are the sheet's fields in their order. */
export function numbersOf({ lines }: Worksheet, texts: readonly string[]): SheetNumbers {
  const left = texts.map(readNumber);
  return lines.map(({ factors }) => left.splice(0, factors.length));
}

/** By line and factor; null where a field has no number. */
type SheetNumbers = readonly (readonly (number | null)[])[];

export function exampleNumbers({ lines }: Worksheet): SheetNumbers {
  return lines.map(({ factors }) => factors.map(({ value }) => value));
}

/** The product of a line's factors in whole dollars; null if a number is missing or the product is too large. */
export function lineSum(factors: readonly WorksheetFactor[], numbers: SheetNumbers[number]) {
  const product = productOf(factors, numbers);
  return product === null ? null : withinMax(Math.round(product));
}

function productOf(factors: readonly WorksheetFactor[], numbers: SheetNumbers[number]) {
  let product = 1;
  for (const [index, { worth = 1, divides }] of factors.entries()) {
    const number = numbers[index] ?? null;
    if (number === null || (divides && number === 0)) return null;
    product *= divides ? 1 / number : number * worth;
  }
  return product;
}

/** The hours of those lines that cost time. */
export function sheetHours({ lines }: Worksheet, numbers: SheetNumbers): number {
  return lines.reduce((hours, { factors }, line) => {
    const rate = factors.findIndex(({ hourly }) => hourly);
    const others = numbers[line]?.filter((_, index) => index !== rate) ?? [];
    const time =
      rate < 0
        ? 0
        : productOf(
            factors.filter((_, index) => index !== rate),
            others,
          );
    return hours + (time ?? 0);
  }, 0);
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

export function writeDollars(dollars: number): string {
  return `$${writeNumber(dollars)}`;
}
