import { amount, number } from "#content/amounts.ts";
import { shortTorontoTime } from "#content/toronto-time.ts";
import type { HourRefusal, MissingSetting, SendRefusal } from "../sends/send-issue.ts";
import type { TextProblem } from "./read-issue-text.ts";

export type PlanRefusal =
  | { reason: "unknown_draft" }
  | { reason: "is_published" | "changed_elsewhere" | "issue_changed" }
  | { reason: "unreadable"; problems: TextProblem[] }
  | { reason: "settings_missing"; missing: MissingSetting[] }
  | HourRefusal;

/** Why a text makes no issue, as a clause that follows the name of its file. */
export function describeTextProblem(problem: TextProblem): string {
  switch (problem.reason) {
    case "front_matter":
      return problem.message;
    case "no_date":
      return `date ${JSON.stringify(problem.text)} is not a calendar date; write it as YYYY-MM-DD.`;
    case "early_date":
      return `date ${JSON.stringify(problem.text)} is before 1990, so its year is most likely mistyped.`;
    case "empty_body":
      return "the body is empty, so there is nothing to publish.";
    case "long_body":
      return `the body is longer than the limit of ${number(problem.limit)} characters.`;
    case "deep_body":
      return `the body is nested deeper than the limit of ${problem.limit} elements.`;
    case "no_title":
      return "it has no title.";
    case "long_title":
      return `the title has ${problem.length} characters; the limit is ${problem.limit}.`;
    case "controls_in_title":
      return "the title holds control characters.";
    case "nothing_shown":
      return "the page would show an empty body: there are no words and no pictures in it.";
  }
}

/** The same as a sentence about a draft. */
export function describeDraftProblem(problem: TextProblem): string {
  const words = describeTextProblem(problem);
  if (problem.reason === "front_matter") return `Line ${problem.line}: ${words}`;
  return words.charAt(0).toUpperCase() + words.slice(1);
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

/** Why an issue can't be sent, in a sentence. */
export function describeSendRefusal(refusal: SendRefusal): string {
  switch (refusal.reason) {
    case "unknown_issue":
      return "There is no such issue any more.";
    case "send_open":
      return `Send ${refusal.openId} of it has not ended yet.`;
    case "sent_before":
      return `It went out on ${shortTorontoTime(refusal.send.begunAt ?? refusal.send.beginsAt)}, and nobody is sent an issue twice. Not sent it yet: ${amount(refusal.withoutIssue, "confirmed subscriber")}, to whom the desk sends it.`;
    case "nobody_to_send_to":
      return "There is no confirmed subscriber to send it to.";
    default:
      return describeHourRefusal(refusal);
  }
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
    case "changed_elsewhere":
      return "The draft was changed meanwhile. Look at it again: nothing was published.";
    case "issue_changed":
      return "The published issue was changed elsewhere meanwhile. Nothing was done.";
    case "unreadable":
      return refusal.problems.map(describeDraftProblem).join(" ");
    case "settings_missing":
      return refusal.missing.map(describeMissingSetting).join(" ");
    default:
      return describeHourRefusal(refusal);
  }
}
