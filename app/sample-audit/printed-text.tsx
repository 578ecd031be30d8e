import { hash } from "node:crypto";
import { renderToStaticMarkup } from "react-dom/server";
import { AuditSheets } from "./audit-sheets.tsx";

/** The printed file ends with it, so that a test sees when it is out of date. */
export function printedHash(): string {
  return hash("sha256", renderToStaticMarkup(<AuditSheets />));
}

export const hashLine = "% sheets ";
