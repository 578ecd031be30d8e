import { number } from "#content/amounts.ts";
import { shortTorontoTime } from "#content/toronto-time.ts";
import type { TextProblem } from "#newsletter/read-issue-text.ts";
import type { HourRefusal, MissingSetting } from "./send-issue.ts";

export type PlanRefusal =
  | { reason: "unknown_draft" }
  | { reason: "is_published" }
  | { reason: "unreadable"; problems: TextProblem[] }
  | { reason: "date_after_hour"; date: string }
  | { reason: "settings_missing"; missing: MissingSetting[] }
  | HourRefusal;

export function describeDraftProblem(problem: TextProblem): string {
  switch (problem.reason) {
    case "front_matter":
      return `Line ${problem.line}: ${problem.message}`;
    case "no_date":
      return `The date ${JSON.stringify(problem.text)} is not a day. Write it as YYYY-MM-DD.`;
    case "early_date":
      return `The date ${problem.text} is before 1990: is its year mistyped?`;
    case "empty_body":
      return "There is no text yet, so there is nothing to publish.";
    case "long_body":
      return `The text is longer than the ${number(problem.limit)} characters that an issue may have.`;
    case "no_title":
      return "It has no title.";
    case "long_title":
      return `The title has ${problem.length} characters; it may have ${problem.limit}.`;
    case "controls_in_title":
      return "The title holds characters that can't be shown.";
    case "nothing_shown":
      return "The page would be empty: there are no words and no pictures in the text.";
  }
}

type PlannedWords = { dueAt: string; audience: string | null; problem: string | null };

/** A plan's state in words: `published and sent on 2026-11-30 07:30`, `not published: it has no title.` */
export function describePlan(
  { dueAt, audience, problem }: PlannedWords,
  formatTime: (isoTime: string) => string,
): string {
  if (problem !== null) return `not published: ${problem}`;
  return `${audience === null ? "published" : "published and sent"} on ${formatTime(dueAt)}`;
}

export function describeHourRefusal({ reason, at }: HourRefusal): string {
  const when = shortTorontoTime(at.toISOString());
  return reason === "hour_is_over"
    ? `${when} is over in Toronto. Choose a later hour, or none for now.`
    : `${when} is more than a year ahead. Look at the year.`;
}

export function describeMissingSetting({ setting, why }: MissingSetting): string {
  return `${setting} is not set: ${why}.`;
}

/** Why a draft can't be published at an hour, in sentences. */
export function describePlanRefusal(refusal: PlanRefusal): string {
  switch (refusal.reason) {
    case "unknown_draft":
      return "The draft was deleted.";
    case "is_published":
      return "It is published already.";
    case "unreadable":
      return refusal.problems.map(describeDraftProblem).join(" ");
    case "date_after_hour":
      return `Its date, ${refusal.date}, comes after that hour. Change one of the two.`;
    case "settings_missing":
      return refusal.missing.map(describeMissingSetting).join(" ");
    default:
      return describeHourRefusal(refusal);
  }
}
