import { isUtf8 } from "node:buffer";
import { torontoDate } from "#content/toronto-time.ts";

export type Problem = {
  file: string | null;
  line: number | null;
  message: string;
};

/** Decodes UTF-8, UTF-16 with its mark, or Windows-1252, as Excel saves them; null for no text. */
export function decodeText(bytes: Buffer): { text: string; encoding: string } | null {
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const encoding = isUtf16
    ? first === 0xff
      ? "utf-16le"
      : "utf-16be"
    : isUtf8(bytes)
      ? "utf-8"
      : "windows-1252";
  const text = new TextDecoder(encoding).decode(bytes);
  return text.includes("\0") ? null : { text, encoding };
}

export const isNoText =
  "is no text. Save a spreadsheet as “CSV UTF-8” first, and unpack a packed file.";

/** Names the first line that isn't UTF-8. */
export function readUtf8(file: { name: string; bytes: Buffer }): { text: string } | Problem {
  const decoded = decodeText(file.bytes);
  if (decoded && decoded.encoding !== "windows-1252") return decoded;
  if (decoded === null) return { file: file.name, line: null, message: isNoText };
  const text = file.bytes.toString();
  const line = text.slice(0, text.indexOf("\uFFFD")).split("\n").length;
  return { file: file.name, line, message: "is not UTF-8. Save it as text in UTF-8." };
}

/** `line` counts from 1. */
export type CsvRow = { line: number; cells: string[] };

/** Excel's own line that names the separator. */
const separatorLine = /^"?sep=([^\r\n])"?(?=[\r\n])/i;

export function separatorOf(text: string): string {
  const heading = (/[^\r\n]+/.exec(text)?.[0] ?? "").replace(/"[^"]*"/g, "");
  const count = (sign: string) => heading.split(sign).length;
  return (
    separatorLine.exec(text)?.[1] ??
    [",", ";", "\t", "|"].reduce((most, sign) => (count(sign) > count(most) ? sign : most))
  );
}

/** Reads CSV (RFC 4180). After a malformed row it goes on with the next line. */
export function* parseCsv(
  text: string,
  separator = separatorOf(text),
): Generator<CsvRow | { line: number; message: string; words: string }, void> {
  const sign = `\\u${separator.charCodeAt(0).toString(16).padStart(4, "0")}`;
  const bareOrQuoted = `"([^"]*(?:""[^"]*)*)"|(?!")([^\\r\\n${sign}]*)`;
  const cell = new RegExp(`(?:${bareOrQuoted})(${sign}|\\r\\n?|\\n|$)`, "y");
  const lineEnd = /\r\n?|\n|$/g;
  let line = 1;
  let at = separatorLine.exec(text)?.[0].length ?? 0;
  while (at < text.length) {
    const cells: string[] = [];
    cell.lastIndex = at;
    let after: string | undefined = separator;
    while (after === separator) {
      const found = cell.exec(text);
      cells.push(found?.[1]?.replaceAll('""', '"') ?? found?.[2] ?? "");
      after = found?.[3];
    }
    let end = cell.lastIndex;
    if (after === undefined) {
      const message = "A quoted cell isn’t closed, or has text after it. A quote in it is doubled.";
      lineEnd.lastIndex = at;
      lineEnd.exec(text);
      end = lineEnd.lastIndex;
      yield { line, message, words: text.slice(at, end).trim() };
    } else if (cells.length > 1 || cells[0] !== "") yield { line, cells };
    line += text.slice(at, end).match(/\r\n?|\n/g)?.length ?? 0;
    at = end;
  }
}

// The guard that spreadsheets need before a formula; `newsletter/records.ts` writes it.
const guardedFormula = /((?:^|[;\t\r\n])[ "]*)'('*)(?=[=+\-@＝＋－＠])/g;

export function unguardFormula(cell: string): string {
  return cell.replace(guardedFormula, "$1$2");
}

/** Earlier dates are typing errors; mail's dates have no such years. */
const firstPublishDate = "1990-01-01";

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

export function isPublishDate(text: string): boolean {
  return isDay(text) && text >= firstPublishDate;
}

const momentShape =
  /^(\d{4}-\d\d-\d\d)(?:T|\s+)(\d{1,2})(:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|UTC|GMT|[+-]\d{1,2}(?::?\d\d)?)?(?: (?:UTC|GMT|[+-]\d{4}))?$/i;

/** Reads ISO 8601 as YAML, PostgreSQL, Go and Ruby write it; UTC without a zone. Null if malformed. */
export function parseMoment(text: string): { day: string; at: Date; isZoned: boolean } | null {
  const [, day = "", hour = "", rest = "", zone] = momentShape.exec(text) ?? [];
  if (!isDay(day)) return null;
  const [, sign, hours = "", minutes = "00"] = /^([+-])(\d+?):?(\d\d)?$/.exec(zone ?? "") ?? [];
  const offset = sign === undefined ? "Z" : `${sign}${hours.padStart(2, "0")}:${minutes}`;
  const clock = `${hour.padStart(2, "0")}${rest.replace(/(\.\d{3})\d+$/, "$1")}`;
  const at = new Date(`${day}T${clock}${offset}`);
  return Number.isNaN(at.getTime()) ? null : { day, at, isZoned: zone !== undefined };
}

/** The day, `YYYY-MM-DD`, of a date or time, in Toronto where it has an offset. Null if malformed. */
export function calendarDate(text: string): string | null {
  const given = text.trim();
  if (isDay(given)) return given;
  const moment = parseMoment(given);
  return moment && (moment.isZoned ? torontoDate(moment.at) : moment.day);
}
