import type { Problem } from "#operator/records.ts";

export type { Problem };

const problemsShown = 20;

/** A list's columns and their meanings. */
type Columns = Record<string, string | null>;

type ErrorDetails = { exitCode?: 1 | 2; problems?: Problem[]; columns?: Columns };

/** Ends a command early, in words for the operator. Exit code 2: wrong usage or bad input. */
export class CommandError extends Error {
  readonly exitCode: 1 | 2;
  readonly problems: Problem[];
  /** Set when a list can't be read until the operator says what its columns mean. */
  readonly columns: Columns | undefined;

  constructor(message: string, { exitCode = 2, problems = [], columns }: ErrorDetails = {}) {
    super(message);
    this.exitCode = exitCode;
    this.problems = problems;
    this.columns = columns;
  }
}

/** The work failed, or something needs attention: exit code 1. */
export function failure(message: string): CommandError {
  return new CommandError(message, { exitCode: 1 });
}

/** `newsletter.md:3: the message`, as editors and terminals read it. */
export function formatProblem({ file, line, message }: Problem): string {
  return [file, line, ` ${message}`]
    .filter((part) => part !== null)
    .join(":")
    .trim();
}

/** One error for all mistakes of a command; a single mistake is its message. */
export function problemsError(problems: Problem[], summary: string): CommandError {
  const shown = problems.slice(0, problemsShown).map(formatProblem);
  const rest = problems.length - shown.length;
  const lines = problems.length === 1 ? shown : [summary, ...shown];
  if (rest > 0) lines.push(`… and ${rest} more.`);
  return new CommandError(lines.join("\n"), { problems });
}
