import { isMap, isScalar, LineCounter, parseDocument } from "yaml";

/** A value of the front matter with the line that it stands on, counted from 1. */
type FrontMatterValue = { text: string; line: number };

export type FrontMatter = {
  title: FrontMatterValue | null;
  date: FrontMatterValue | null;
  /** The line that mail programs show beside the subject. */
  preheader: FrontMatterValue | null;
  /** Names that mean nothing here, in the order of the file. */
  unused: string[];
  /** What comes after the block. */
  body: string;
  /** Lines before the body. */
  bodyOffset: number;
};

type SplitResult =
  | { ok: true; frontMatter: FrontMatter }
  | { ok: false; line: number; message: string };

const nothing = { title: null, date: null, preheader: null };

/** Blank lines before it are passed over: Markdown would make a heading of the block. */
const opening = /^(?:[ \t]*\r?\n)*---[ \t]*\r?\n/;
const closing = /^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m;

/** Takes the YAML block between `---` lines off the top of a file. A file without one comes back whole. */
export function splitFrontMatter(text: string): SplitResult {
  const open = opening.exec(text);
  if (!open) {
    return {
      ok: true,
      frontMatter: { ...nothing, unused: [], body: text, bodyOffset: 0 },
    };
  }
  const rest = text.slice(open[0].length);
  const openLine = lineBreaks(open[0]);
  const close = closing.exec(rest);
  if (!close) {
    return mistake(
      openLine,
      "the front matter opens here with --- and is never closed with another ---.",
    );
  }
  const body = rest.slice(close.index + close[0].length);
  const bodyOffset = lineBreaks(text.slice(0, text.length - body.length));
  return readYaml(rest.slice(0, close.index), openLine, { body, bodyOffset });
}

function readYaml(
  yaml: string,
  openLine: number,
  rest: Pick<FrontMatter, "body" | "bodyOffset">,
): SplitResult {
  const lines = new LineCounter();
  // The lines up to the opening --- are put back, so that lines count as in the file.
  const document = parseDocument("\n".repeat(openLine) + yaml, {
    lineCounter: lines,
    prettyErrors: false,
  });
  const [error] = document.errors;
  if (error) return mistake(lines.linePos(error.pos[0]).line, `front matter: ${error.message}.`);

  const frontMatter: FrontMatter = { ...nothing, unused: [], ...rest };
  if (document.contents === null) return { ok: true, frontMatter };
  if (!isMap(document.contents)) {
    return mistake(
      openLine + 1,
      "the front matter must be lines such as title: Five quotes before lunch.",
    );
  }
  for (const { key, value } of document.contents.items) {
    const written = isScalar(key) ? String(key.value) : String(key);
    const name = written.toLowerCase();
    if (name !== "title" && name !== "date" && name !== "preheader") {
      frontMatter.unused.push(written);
      continue;
    }
    const node = isScalar(value) ? value : null;
    const start = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
    const line = lines.linePos(node?.range?.[0] ?? start).line;
    if (node === null) return mistake(line, `${name} must be a text on one line.`);
    // The source, so that `title: 2026` and `title: no` stay what was written.
    const text = typeof node.value === "string" ? node.value : (node.source ?? "");
    if (text.trim() !== "" && node.value !== null) frontMatter[name] = { text, line };
  }
  return { ok: true, frontMatter };
}

function lineBreaks(text: string): number {
  return text.split("\n").length - 1;
}

function mistake(line: number, message: string): SplitResult {
  return { ok: false, line, message };
}
