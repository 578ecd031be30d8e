export type DatedIssue = {
  /** Its position counted from the oldest by id, from 1. */
  number: number;
  /** In US English long form; null where the issue has none. */
  date: string | null;
};

/** `Issue #3 - November 16, 2026`, as the dropdown lists it. */
export function optionLabel(issue: DatedIssue): string {
  return labelWith(" - ", issue);
}

/** `Issue #3 • November 16, 2026`, as an issue is headed. */
export function issueLine(issue: DatedIssue): string {
  return labelWith(" • ", issue);
}

/** `#3 • November 16, 2026`, as a list of issues has it beside the title. */
export function listLine(issue: DatedIssue): string {
  return issueLine(issue).replace(/^Issue /, "");
}

function labelWith(separator: string, { number, date }: DatedIssue): string {
  return [`Issue #${number}`, ...(date ? [date] : [])].join(separator);
}
