import { torontoTime } from "#content/toronto-time.ts";
import { describePlan } from "#operator/plan-words.ts";
import { cancelPlan, listPlans, movePlan } from "#operator/plans.ts";
import {
  type CommandContext,
  commandGroup,
  failure,
  formatRows,
  parseId,
  parseMoment,
  planRefusal,
  type Run,
  siteCommand,
} from "./command.ts";

export function plansCommands(run: Run) {
  return commandGroup("plans", "Issues that are published at an hour", [
    siteCommand(
      "list",
      "List what is planned, the earliest first",
      "issues publish FILE --at TIME plans an issue, and so does the desk. Until then its text can be changed at the desk.",
    ).action(run(list)),
    siteCommand("move", "Give a plan another hour, and another try where it could not be done")
      .argument("<id>", "the plan's id", parseId)
      .requiredOption("--at <time>", '"YYYY-MM-DD HH:MM" in Toronto', parseMoment)
      .action(run(move)),
    siteCommand("cancel", "Call a plan off", "Its text stays as a draft at the desk.")
      .argument("<id>", "the plan's id", parseId)
      .action(run(cancel)),
  ]);
}

async function list(context: CommandContext) {
  const { db } = await context.store();
  const plans = await listPlans(db);
  const rows = plans.map((plan) => ({
    Id: plan.id,
    Draft: plan.draftId,
    Title: plan.title || "Untitled",
    State: describePlan(plan, torontoTime),
  }));
  return { json: { plans }, text: formatRows(rows, "Nothing is planned.") };
}

async function move(context: CommandContext, id: number, { at }: { at: Date }) {
  const { db, config } = await context.store();
  const moved = await movePlan({ db, config, now: context.now() }, { id, at });
  if (!moved.ok) {
    if (moved.reason === "unknown_plan") throw unknownPlan(id);
    throw planRefusal(moved);
  }
  return {
    json: { plan: id, draft: moved.draftId, at: at.toISOString() },
    text: `Plan ${id} is carried out at ${torontoTime(at)} in Toronto.`,
  };
}

async function cancel(context: CommandContext, id: number) {
  const { db } = await context.store();
  const cancelled = await cancelPlan(db, id);
  if (!cancelled.ok) throw unknownPlan(id);
  return {
    json: { cancelled: id, draft: cancelled.draftId },
    text: `Plan ${id} is called off. Its text stays as draft ${cancelled.draftId} at the desk.`,
  };
}

function unknownPlan(id: number) {
  return failure(`There is no plan ${id}. "plans list" shows those there are.`);
}
