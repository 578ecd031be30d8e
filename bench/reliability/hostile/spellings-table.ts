import type { BenchTable } from "../../measurement.ts";
import type { SpellingReport } from "./check-spellings.ts";

const othersShown = 4;

/** One row for all routes that are as they should be, and one for each that isn't. */
export function spellingsTable(reports: SpellingReport[]): BenchTable {
  const sum = (of: (report: SpellingReport) => number) =>
    String(reports.reduce((total, report) => total + of(report), 0));
  const wrong = reports.filter(({ others }) => others.length > 0);
  return {
    title: "Every route in twenty spellings",
    note: "Capitals, slashes, dot segments, `index.html` and queries that the page doesn't know. Each is redirected (308) to the canonical address with its query, or answered with the very same status and headers, tag included; the date and the request's number aside.",
    columns: ["route", "redirected", "the same", "neither"],
    rows: [
      [
        `all ${reports.length}`,
        sum(({ redirected }) => redirected),
        sum(({ same }) => same),
        sum(({ others }) => others.length),
      ],
      ...wrong.map(({ path, redirected, same, others }) => [
        `\`${path}\``,
        String(redirected),
        String(same),
        `${others.length}: ${others.slice(0, othersShown).join("; ")}`,
      ]),
    ],
  };
}
