import { shortTorontoTime } from "#content/toronto-time.ts";
import { describePlan } from "#operator/plan-words.ts";
import type { Plan } from "#operator/plans.ts";

/** `to be published and sent on Nov 30, 2026, 7:30 a.m.` */
export function planAhead(plan: Plan): string {
  const words = describePlan(plan, shortTorontoTime);
  return plan.problem === null ? `to be ${words}` : words;
}
