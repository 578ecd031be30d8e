import { hash } from "node:crypto";
import { renderToStaticMarkup } from "react-dom/server";
import { sampleAudit } from "#content/sample-audit.ts";
import { AuditSheet } from "./audit-sheets.tsx";

/** The printed file ends with it, so that a test sees when it is out of date. */
export function printedHash(): string {
  const sheets = sampleAudit.sheets.map((sheet) => <AuditSheet key={sheet.id} sheet={sheet} />);
  return hash("sha256", renderToStaticMarkup(sheets));
}

export const hashLine = "% sheets ";
