/** Plans issues and carries the plans out, as a process of its own, so that it can be killed. */
import { openDatabase } from "#db/open-database.ts";
import { createDraft } from "#newsletter/issues/drafts.ts";
import { carryOutDuePlans, planDraft } from "#newsletter/issues/plans.ts";
import { configOf } from "../config-of.ts";
import { beginTestSends } from "./queue-test-send.ts";

const { settings, environment, plans } = JSON.parse(process.argv[2] ?? "{}");
const open = await openDatabase(settings);
const config = configOf(environment);
const { db } = open;
process.on("disconnect", () => process.exit());
console.log("planning");
for (;;) {
  const now = new Date();
  const made = await db
    .selectFrom("drafts")
    .leftJoin("plans", "plans.draft_id", "drafts.id")
    .select(["drafts.id", "drafts.issue_id", "due_at"])
    .execute();
  // A kill may have come between a draft and its plan.
  let draftId = made.find(({ issue_id, due_at }) => issue_id === null && due_at === null)?.id;
  if (draftId === undefined && made.length < plans)
    draftId = await createDraft(db, { title: `Number ${made.length}`, body: "Words.", now });
  if (draftId !== undefined)
    await planDraft({ db, config, now }, { draftId, at: now, audience: "all" });
  const done = await carryOutDuePlans({ db, config, now });
  const begun = await beginTestSends(open, now);
  if (draftId === undefined && done.length + begun.length === 0) break;
}
await open.close();
