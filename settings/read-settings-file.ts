import { readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { describeCauses, errorCode } from "#db/describe-causes.ts";

/** The settings of a `.env` file, with the mistakes that would have lost one without a word. */
export type SettingsFile = { values: NodeJS.Dict<string>; mistakes: string[] };

/**
 * Reads a `.env` file as Windows, editors and containers leave it: with a byte order mark, as UTF-16, with CRLF. A missing
 * file has no settings.
 */
export function readSettingsFile(file: string): SettingsFile {
  try {
    const text = decode(readFileSync(file));
    return { values: parseEnv(text), mistakes: mistakesIn(text, file) };
  } catch (error) {
    if (errorCode(error) === "ENOENT") return { values: {}, mistakes: [] };
    const why = errorCode(error) === "EISDIR" ? "it is a folder" : describeCauses(error);
    return { values: {}, mistakes: [`The settings file ${file} can't be read: ${why}.`] };
  }
}

function decode(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  return new TextDecoder().decode(bytes);
}

const assignment = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(.*?)\s*$/;

function mistakesIn(text: string, file: string): string[] {
  const mistakes: string[] = [];
  let openQuote = "";
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const place = `${file}, line ${index + 1}`;
    // Inside a quoted value of several lines.
    if (openQuote !== "") {
      if (line.includes(openQuote)) openQuote = "";
      continue;
    }
    if (/^\s*(?:#|$)/.test(line)) continue;
    const [, name, value = ""] = assignment.exec(line) ?? [];
    if (name === undefined) {
      mistakes.push(`${place} has no setting: it must read NAME=value.`);
      continue;
    }
    const [, quote = ""] = /^(["'`])/.exec(value) ?? [];
    if (quote !== "") {
      if (!value.slice(1).includes(quote)) openQuote = quote;
    } else if (/(?:^|\S)#/.test(value)) {
      mistakes.push(`${place}: ${name} is cut off at the #. Write it in quotes: ${name}="…".`);
    }
  }
  return mistakes;
}
