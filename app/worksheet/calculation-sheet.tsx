import { Fragment, useLayoutEffect, useRef, useState } from "react";
import { type Worksheet, type WorksheetFactor, worksheetWords } from "#content/use-case.ts";
import { piece } from "../alive/piece.tsx";
import { Link } from "../ui/link.tsx";

const contactPath = "/contact";

const addsUp = "add";
const numberField = "n";
const maxLength = 13;

/** Shown while a field has no number. */
const noSum = "–";

type CalculationSheetProps = {
  sheet: Worksheet;
  /** Fields from the address, without scripts. */
  written: readonly string[] | null;
};

/** A changed line shows the example struck out. Without scripts the page adds up by its address. */
export const CalculationSheet = piece(
  "CalculationSheet",
  ({ sheet, written }: CalculationSheetProps) => {
    const form = useRef<HTMLFormElement>(null);
    const first = written ?? exampleTexts(sheet);
    const [texts, setTexts] = useState(first);
    const [isAlive, setIsAlive] = useState(false);
    const sum = sheetSum(sheet, texts);

    function read() {
      setTexts([...(form.current?.querySelectorAll("input") ?? [])].map(({ value }) => value));
    }

    // A visitor may have written before the script came, and on Back the browser fills the fields in again.
    // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it comes.
    useLayoutEffect(() => {
      setIsAlive(true);
      read();
    }, []);

    return (
      <form
        className="worksheet below"
        id="worksheet"
        action="#worksheet"
        ref={form}
        onInput={read}
      >
        <p className="lettering">{worksheetWords.caption}</p>
        <dl>
          {linesOf(sheet, texts).map(({ what, factors, start, value }) => (
            <div className="entry" key={what}>
              <dt>{what}</dt>
              <dd className="worksheet-value">{dollarsOrNone(value)}</dd>
              <dd className="worksheet-working lettering">
                {factors.map((factor, index) => {
                  const [before, after] = factor.text.split("#");
                  const text = texts[start + index] ?? "";
                  const isNumber = readNumber(text) !== null;
                  return (
                    <Fragment key={factor.name}>
                      <span className="whitespace-nowrap">
                        {before}
                        <input
                          type="text"
                          name={numberField}
                          inputMode="decimal"
                          autoComplete="off"
                          aria-label={`${what}: ${factor.name}`}
                          aria-invalid={!isNumber || undefined}
                          aria-describedby={isNumber ? undefined : `worksheet-${start}`}
                          size={Math.max(2, text.length)}
                          maxLength={maxLength}
                          defaultValue={first[start + index]}
                          onFocus={(event) => event.target.select()}
                        />
                        {after}
                        {index < factors.length - 1 && " ×"}
                      </span>{" "}
                    </Fragment>
                  );
                })}
              </dd>
              <dd className="worksheet-example lettering">
                {value === null && (
                  <span className="field-error" id={`worksheet-${start}`}>
                    {worksheetWords.noNumber}
                  </span>
                )}
                {factors.some(
                  (factor, index) => readNumber(texts[start + index]) !== factor.value,
                ) && <s>{workingOf(factors)}</s>}
              </dd>
            </div>
          ))}
          <div className="entry worksheet-total">
            <dt>{sheet.total}</dt>
            <dd className="worksheet-value">
              <output>{dollarsOrNone(sum)}</output>
            </dd>
          </div>
        </dl>
        {isAlive ? (
          <Link
            className="button below"
            to={sum === null ? contactPath : `${contactPath}?sheet=${sheet.id}&sum=${sum}`}
          >
            {worksheetWords.bring}
          </Link>
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

/** Null if the address has none. */
export function writtenTexts(sheet: Worksheet, search: string): readonly string[] | null {
  const texts = new URLSearchParams(search).getAll(numberField);
  const isWhole = texts.length === exampleTexts(sheet).length;
  return isWhole ? texts.map((text) => text.slice(0, maxLength)) : null;
}

/** In the site's own words; may be empty. */
export function broughtMessage(search: string, sheets: readonly Worksheet[]): string {
  const query = new URLSearchParams(search);
  const sheet = sheets.find(({ id }) => id === query.get("sheet"));
  const texts = sheet && writtenTexts(sheet, search);
  const sum = sheet && texts ? sheetSum(sheet, texts) : readNumber(query.get("sum") ?? "");
  if (!sheet || sum === null) return "";
  return worksheetWords.message(sheet.message.replace("#", () => writeDollars(sum)));
}

export function exampleTexts({ lines }: Worksheet): string[] {
  return lines.flatMap(({ factors }) => factors.map(({ value }) => writeNumber(value)));
}

/** Products in whole dollars; null if there is none. */
function linesOf({ lines }: Worksheet, texts: readonly string[]) {
  let start = 0;
  return lines.map(({ what, factors }) => {
    const line = { what, factors, start, value: productOf(factors, texts.slice(start)) };
    start += factors.length;
    return line;
  });
}

function productOf(factors: readonly WorksheetFactor[], texts: readonly string[]): number | null {
  let product = 1;
  for (const [index, { worth = 1, divides }] of factors.entries()) {
    const number = readNumber(texts[index]);
    if (number === null || (divides && number === 0)) return null;
    product *= divides ? 1 / number : number * worth;
  }
  return withinMax(Math.round(product));
}

/** In whole dollars; null if a field has no number, or the sum is too large. */
export function sheetSum(sheet: Worksheet, texts: readonly string[]): number | null {
  const values = linesOf(sheet, texts).map(({ value }) => value ?? Number.NaN);
  return withinMax(values.reduce((sum, value) => sum + value, 0));
}

/** Fits on a phone. */
function withinMax(number: number): number | null {
  return number <= 1_000_000_000 ? number : null;
}

/**
 * Reads `$1,100.50`, `12 %`, `1 100`, `0,5`. A comma before three digits parts thousands. Null if
 * malformed, negative or too large.
 */
export function readNumber(text = ""): number | null {
  let plain = text.replaceAll(/[\s$%]/g, "");
  if (/^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/.test(plain)) plain = plain.replaceAll(",", "");
  else if (/^[1-9]\d{0,2}(?:\.\d{3})+,\d*$/.test(plain)) plain = plain.replaceAll(".", "");
  plain = plain.replace(",", ".");
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(plain)) return null;
  return withinMax(Number(plain));
}

/** Lines break after the sign alone. */
function workingOf(factors: readonly WorksheetFactor[]): string {
  const worked = factors.map(({ text, value }) =>
    text.replace("#", writeNumber(value)).replaceAll(" ", "\u00a0"),
  );
  return worked.join("\u00a0× ");
}

function dollarsOrNone(dollars: number | null): string {
  return dollars === null ? noSum : writeDollars(dollars);
}

export function writeDollars(dollars: number): string {
  return `$${writeNumber(dollars)}`;
}

function writeNumber(number: number): string {
  return number.toLocaleString("en-US", { maximumFractionDigits: 2 });
}
