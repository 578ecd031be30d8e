import { useLayoutEffect, useRef, useState } from "react";
import { dollars } from "#content/amounts.ts";
import { type Worksheet, worksheetWords } from "#content/use-case.ts";
import { piece } from "../alive/piece.tsx";

/** Without scripts the contact page works the sum out, from the same form. */
export const CalculationSheet = piece("CalculationSheet", ({ sheet }: { sheet: Worksheet }) => {
  const form = useRef<HTMLFormElement>(null);
  const [texts, setTexts] = useState(sheet.factors.map(({ value }) => `${value}`));
  const sum = sheetSum(sheet, texts);
  const read = () =>
    setTexts(new FormData(form.current as HTMLFormElement).getAll("n").map(String));

  // A visitor may have written before the script came, and on Back the browser fills the fields in again.
  useLayoutEffect(read, []);

  return (
    <form className="worksheet sheet lifted" action="/contact" ref={form} onInput={read}>
      <input type="hidden" name="sheet" value={sheet.id} />
      <h2 className="title">{sheet.heading}</h2>
      <div className="worksheet-working">
        {sheet.factors.map(({ text, name, value }, index) => {
          const [before, after] = text.split("#");
          const isNumber = readNumber(texts[index]) !== null;
          return (
            <span key={name}>
              <span>{index > 0 && "×"}</span>
              <span>{before}</span>
              <input
                type="text"
                name="n"
                inputMode="decimal"
                autoComplete="off"
                aria-label={name}
                aria-invalid={!isNumber || undefined}
                aria-describedby={isNumber ? undefined : "worksheet-error"}
                size={Math.max(2, texts[index]?.length ?? 0)}
                maxLength={13}
                defaultValue={value}
                onFocus={(event) => event.target.select()}
              />
              <span>{after}</span>
            </span>
          );
        })}
        {sum === null && (
          <p className="field-error" id="worksheet-error">
            {worksheetWords.noNumber}
          </p>
        )}
      </div>
      <p className="apart">
        <b>{worksheetWords.year}</b>
        <output>{sum === null ? "–" : dollars(sum)}</output>
      </p>
      <button type="submit" className="button below">
        {worksheetWords.bring}
      </button>
    </form>
  );
});

/** In the site's own words; may be empty. */
export function broughtMessage(search: string, sheets: readonly Worksheet[]): string {
  const query = new URLSearchParams(search);
  const sheet = sheets.find(({ id }) => id === query.get("sheet"));
  const sum = sheet && sheetSum(sheet, query.getAll("n"));
  return sum ? worksheetWords.message(sheet.message.replace("#", () => dollars(sum))) : "";
}

/** In whole dollars; null if a field has no number, or the sum is too large. */
function sheetSum({ factors }: Worksheet, texts: readonly string[]): number | null {
  const sum = factors.reduce((product, { divides }, index) => {
    const number = readNumber(texts[index]) ?? Number.NaN;
    return divides ? product / number : product * number;
  }, 1);
  return withinMax(Math.round(sum));
}

/** Fits on a phone. */
function withinMax(number: number): number | null {
  return number <= 1_000_000_000 ? number : null;
}

/** Reads `$1,100.50`, `12 %`, `1 100`. Null if malformed, negative or too large. */
export function readNumber(text = ""): number | null {
  const plain = text.replaceAll(/[\s$%]|,(?=\d{3})/g, "");
  return /^(?:\d+\.?\d*|\.\d+)$/.test(plain) ? withinMax(Number(plain)) : null;
}
