import { hash } from "node:crypto";
import { renderToStaticMarkup } from "react-dom/server";
import { sampleAudit } from "#content/sample-audit.ts";
import { SheetContent } from "./audit-sheets.tsx";

/** Names what the sheets say and draw. The printed file ends with it, so that a test sees when it is out of date. */
export function printedHash(): string {
  const sheets = sampleAudit.sheets.map((sheet) => <SheetContent key={sheet.id} sheet={sheet} />);
  const { firm, mark, figures } = sampleAudit;
  return hash("sha256", renderToStaticMarkup(sheets) + JSON.stringify([firm, mark, figures]));
}

export const hashLine = "% sheets ";
