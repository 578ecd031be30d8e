import { shortTorontoTime, torontoMoment, torontoTime } from "#content/toronto-time.ts";
import { describePlan } from "#newsletter/issues/plan-words.ts";
import type { Plan } from "#newsletter/issues/plans.ts";
import type { Answer } from "./ui.tsx";

export function planAhead(plan: Plan): string {
  const words = describePlan(plan, shortTorontoTime);
  return plan.problem === null ? `to be ${words}` : words;
}

export const noMailServer = "No mail was sent, since no mail server is set.";

export function describeTest(
  sent:
    | { ok: true; folder: string | null }
    | { ok: false; reason: "no_address" }
    | { ok: false; reason: "mail_server_refused"; words: string },
  given: string,
): Answer {
  if (sent.ok && sent.folder === null) {
    return { ok: true, said: `The test is on its way to ${given}. Nobody else got it.` };
  }
  const problem = sent.ok
    ? `${noMailServer} Name it under Settings, Mail.`
    : sent.reason === "no_address"
      ? `${given || "Nothing"} is no address that mail could be sent to.`
      : `The mail server didn’t take it: ${sent.words}`;
  return { ok: false, problems: [problem] };
}

type ReadHour = { ok: true; moment: Date } | { ok: false; problem: string };

/** The moment of a field of date and time, which holds Toronto's wall clock: `2026-11-30T07:30`. */
export function readHour(text: string): ReadHour {
  const found = torontoMoment(text);
  if (!found) return { ok: false, problem: "Choose a day and an hour." };
  const wanted = text.replace("T", " ");
  if (torontoTime(found) === wanted) return { ok: true, moment: found };
  const problem = `Toronto’s clocks skip ${wanted}: they go forward that night. ${torontoTime(found)} would do.`;
  return { ok: false, problem };
}
