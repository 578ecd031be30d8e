/** Plans issues and carries the plans out, as a process of its own, so that it can be killed. */
import { openDatabase } from "#db/open-database.ts";
import { createDraft } from "#newsletter/issues/drafts.ts";
import { carryOutDuePlans, planDraft } from "#newsletter/issues/plans.ts";
import { readConfig } from "#settings/settings.ts";
import { beginTestSends } from "./queue-test-send.ts";

const { settings, environment, plans } = JSON.parse(process.argv[2] ?? "{}");
const open = await openDatabase(settings);
const read = readConfig(environment);
if (!read.ok) throw new Error(read.mistakes.join("\n"));
const { config } = read;
const { db } = open;
process.on("disconnect", () => process.exit());
for (;;) {
  const now = new Date();
  const { planned } = await db
    .selectFrom("drafts")
    .select(({ fn }) => fn.countAll<number>().as("planned"))
    .executeTakeFirstOrThrow();
  if (planned < plans) {
    const draftId = await createDraft(db, { title: `Number ${planned}`, body: "Words.", now });
    await planDraft({ db, config, now }, { draftId, at: now, audience: "all" });
  }
  const done = await carryOutDuePlans({ db, config, now });
  const begun = await beginTestSends(open, now);
  if (planned >= plans && done.length + begun.length === 0) break;
}
await open.close();
process.send?.({ done: true });
