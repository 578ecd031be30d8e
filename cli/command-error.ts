/** One mistake in what the operator gave, with the place where it stands. */
export type Problem = {
  /** The file as the operator named it, or null where the mistake is in no file. */
  file: string | null;
  /** Counted from 1, or null where the mistake is on no particular line. */
  line: number | null;
  message: string;
};

/** Most problems shown at once; the rest is counted. */
const problemsShown = 20;

/**
 * What ends a command early, in words for the operator. Exit code 1: the work failed or something needs attention.
 * Exit code 2: the command was used wrongly or what it was given is no good.
 */
export class CommandError extends Error {
  readonly exitCode: 1 | 2;
  readonly problems: Problem[];

  constructor(message: string, { exitCode = 2, problems = [] }: ErrorDetails = {}) {
    super(message);
    this.name = "CommandError";
    this.exitCode = exitCode;
    this.problems = problems;
  }
}

type ErrorDetails = { exitCode?: 1 | 2; problems?: Problem[] };

/** `newsletter.md:3: the message`, as editors and terminals read it. */
export function formatProblem({ file, line, message }: Problem): string {
  const place = [file, line].filter((part) => part !== null).join(":");
  return place === "" ? message : `${place}: ${message}`;
}

/** A command's mistakes as one error: a single one is the message itself. */
export function problemsError(problems: Problem[], summary: string): CommandError {
  const [only] = problems;
  if (only !== undefined && problems.length === 1) {
    return new CommandError(formatProblem(only), { problems });
  }
  const shown = problems.slice(0, problemsShown).map(formatProblem);
  const rest = problems.length - shown.length;
  if (rest > 0) shown.push(`… and ${rest} more.`);
  return new CommandError([summary, ...shown].join("\n"), { problems });
}
