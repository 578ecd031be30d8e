import { elementsBelow, isBlank, parseBody, setAttribute, writeBody } from "./body-tree.ts";
import { mailGround, makeColoursReadable } from "./colours.ts";
import { type RemovedItem, sanitiseBody, startRemovalReport, takeBody } from "./sanitise-body.ts";
import { cleanBody, plainTextOf, shapeBody } from "./shape-body.ts";
import { classTablesForMail } from "./shape-tables.ts";

/** A prepared issue. `html` goes inside an element of class `issue-body`. */
export type PreparedBody = {
  html: string;
  /** What was removed, for the operator. */
  removed: RemovedItem[];
  /** One block a line, for descriptions and search. */
  plainText: string;
};

export type ShownBody = Pick<PreparedBody, "html" | "plainText">;

export type StoredIssue = { id: number; title: string; content_markdown: string };

export type PreparedBodyOf = (issue: StoredIssue) => Promise<ShownBody>;

/**
 * Rounds until a browser's reading of the markup is stable, which shows that each end tag closes an element of the body
 * itself. Two are normally enough.
 */
const maxRounds = 4;

/**
 * Makes a stored issue's `content_markdown` (HTML or a full HTML document, despite its name) safe to put inside a page:
 * the body rule of the specification's section 5, an allowlist, and proof that the markup can't close an element of the
 * page around it. Never throws; takes time in proportion to the length. Preparing what it returns changes nothing.
 * A body that can't be contained is shown as plain paragraphs, and the report says so.
 */
export function prepareIssueBody(contentMarkdown: string): PreparedBody {
  const report = startRemovalReport();
  const safe = sanitiseBody(takeBody(contentMarkdown, report), report);
  const settled = settle(safe, report);
  if (settled !== null) return { ...settled, removed: report.items() };
  report.add("all markup, since it can't be kept inside the page");
  return { ...wordsOf(safe), removed: report.items() };
}

function wordsOf(safe: string): ShownBody {
  const lines = safe.split(/<[^>]*>/).filter((line) => !isBlank(line));
  const body = parseBody(lines.map((line) => `<p>${line}</p>`).join(""));
  return { html: writeBody(body), plainText: plainTextOf(body) };
}

function settle(safe: string, report: ReturnType<typeof startRemovalReport>) {
  let html = safe;
  for (let round = 0; round < maxRounds; round += 1) {
    const body = parseBody(html);
    shapeBody(body, round === 0 ? report : startRemovalReport());
    const shaped = writeBody(body);
    if (shaped === html) return { html, plainText: plainTextOf(body) };
    // Read again, as stored markup will be when it is prepared a second time.
    html = shaped;
  }
  return null;
}

/** Attributes for a page that mail programs don't know. */
const pageAttributes = ["loading", "decoding", "referrerpolicy", "target", "rel"];

/**
 * Prepares an issue for mail with the same sanitiser. Its layout stays, since there is no page around it to fit. Words
 * that can't be read on `canvas` get another colour, as do links without one, which would be in the site's `accent`;
 * `recoloured` counts them.
 */
export function prepareMailBody(
  contentMarkdown: string,
  { canvas, accent }: { canvas: string; accent: string },
) {
  const report = startRemovalReport();
  const body = parseBody(sanitiseBody(takeBody(contentMarkdown, report), report));
  cleanBody(body, report);
  classTablesForMail(body);
  for (const element of elementsBelow(body)) {
    for (const name of pageAttributes) setAttribute(element, name, null);
  }
  const recoloured = makeColoursReadable(body, mailGround(canvas, accent));
  return { body, recoloured, removed: report.items(), plainText: plainTextOf(body) };
}
