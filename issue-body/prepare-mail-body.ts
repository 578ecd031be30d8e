import { BodyTooLarge, elementsBelow, parseBody, setAttribute, writeBody } from "./body-tree.ts";
import { plainFallback } from "./plain-fallback.ts";
import type { PreparedBody } from "./prepare-issue-body.ts";
import { startRemovalReport } from "./removal-report.ts";
import { sanitiseBody } from "./sanitise-body.ts";
import { cleanBody, plainTextOf } from "./shape-body.ts";
import { classTablesForMail } from "./shape-tables.ts";
import { takeBody } from "./take-body.ts";

/** What a page asks of a picture, and mail programs don't know. */
const pageAttributes = ["loading", "decoding", "referrerpolicy", "target", "rel"];

/**
 * The same of a stored issue as a page shows, by the same sanitiser, for mail: its layout stays as it was written, since
 * there is no page around it whose headings, canvas and measures it would have to fit.
 */
export function prepareMailBody(contentMarkdown: string): PreparedBody {
  const report = startRemovalReport();
  try {
    const body = parseBody(sanitiseBody(takeBody(contentMarkdown, report), report));
    cleanBody(body, report);
    classTablesForMail(body);
    for (const element of elementsBelow(body)) {
      for (const name of pageAttributes) setAttribute(element, name, null);
    }
    return { html: writeBody(body), removed: report.items(), plainText: plainTextOf(body) };
  } catch (error) {
    if (error instanceof BodyTooLarge) return plainFallback(contentMarkdown);
    throw error;
  }
}
