import { expect, test } from "vitest";
import { torontoMoment } from "#content/toronto-time.ts";
import { configOf } from "#tests/config-of.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { failOn, isFullDisk } from "#tests/full-disk.ts";
import { beginTestSends } from "#tests/sends/queue-test-send.ts";
import { sendingEnvironment } from "#tests/sends/sending-environment.ts";
import { addSubscribers } from "#tests/sends/subscribers.ts";
import { listSends } from "../sends/sends.ts";
import { createDraft, findDraft, saveDraft } from "./drafts.ts";
import { findIssue, listIssues } from "./issues.ts";
import { cancelPlan, carryOutDuePlans, listPlans, planDraft, publishNow } from "./plans.ts";

const config = configOf(sendingEnvironment);
const now = new Date("2026-11-28T15:00:00.000Z");
const monday = new Date("2026-11-30T12:00:00.000Z");
const words = { title: "Piers", body: "Below the frost." };

describeOnEachDatabase("a plan", (database) => {
  const site = (at = now) => ({ db: database.db, config, now: at });
  const draft = (more: object = {}) => createDraft(database.db, { now, ...words, ...more });
  const plan = (draftId: number, at = monday, audience: "all" | null = null) =>
    planDraft(site(), { draftId, at, audience });

  async function reasonsMailed() {
    const rows = await database.db
      .selectFrom("outbox")
      .select("payload")
      .where("kind", "=", "owner-email")
      .execute();
    return rows.map(({ payload }) => JSON.parse(payload).paragraphs[1]);
  }

  test("publishes and sends a draft once at its hour, as it is then, from whichever of two instances", async () => {
    const { db } = database;
    await addSubscribers(db, 2);
    const id = await draft();
    expect(await plan(id, monday, "all")).toMatchObject({
      ok: true,
      said: expect.stringContaining("sent to 2 subscribers"),
    });
    const deeper = { title: "Deeper piers", body: "Well below.", preheader: "Dig" };
    await saveDraft(db, { id, version: 1, now, ...deeper });
    expect(await carryOutDuePlans(site(new Date(monday.getTime() - 1)))).toEqual([]);
    expect(await listIssues(db)).toEqual([]);
    const other = { ...site(monday), db: (await database.connect()).db };
    const done = await Promise.all([carryOutDuePlans(site(monday)), carryOutDuePlans(other)]);
    expect(done.flat()).toMatchObject([{ issue: 1, send: 1 }]);
    expect(await findIssue(db, 1)).toMatchObject({
      title: "Deeper piers",
      publishDate: "2026-11-30",
      preheader: "Dig",
    });
    expect(await listIssues(db)).toHaveLength(1);
    expect(await listSends(db)).toMatchObject([
      { state: "waiting", title: "Deeper piers", beginsAt: monday.toISOString(), toGo: 2 },
    ]);
    expect(await beginTestSends(database.open, monday)).toMatchObject([{ recipients: 2 }]);
    expect(await listPlans(db)).toEqual([]);
    expect(await carryOutDuePlans(site(monday))).toEqual([]);
  });

  test("does nothing half where the database fails in the middle, and all of it later", async () => {
    const { db } = database;
    await addSubscribers(db, 1);
    const id = await draft();
    await plan(id, monday, "all");
    const mend = await failOn(database, "insert on sends");
    await expect(carryOutDuePlans(site(monday))).rejects.toThrow(isFullDisk);
    expect(await listIssues(db)).toEqual([]);
    expect(await listPlans(db)).toMatchObject([{ draftId: id, problem: null }]);
    expect(await findDraft(db, id)).toMatchObject({ issue_id: null });
    await mend();
    expect(await carryOutDuePlans(site(monday))).toHaveLength(1);
    expect([await listIssues(db), await listSends(db)]).toMatchObject([[{}], [{}]]);
  });

  test("waits for the operator where its draft can't be published at its hour", async () => {
    const { db } = database;
    const id = await draft();
    await plan(id, monday, "all");
    const emptied = { id, version: 1, now, preheader: "" };
    await saveDraft(db, { ...emptied, title: "", body: "Words." });
    const problem = "It has no title.";
    expect(await carryOutDuePlans(site(monday))).toMatchObject([{ problem }]);
    expect(await carryOutDuePlans(site(monday))).toEqual([]);
    expect(await reasonsMailed()).toEqual([problem]);
    expect(await listPlans(db)).toMatchObject([{ draftId: id, problem }]);
    expect([await listIssues(db), await listSends(db)]).toEqual([[], []]);
    await saveDraft(db, { ...emptied, version: 2, ...words });
    const later = new Date(monday.getTime() + 60_000);
    expect(await plan(id, later)).toMatchObject({ ok: true });
    expect(await carryOutDuePlans(site(later))).toMatchObject([{ issue: 1 }]);
  });

  test("waits for the operator where it is more than six hours late, or a setting is missing", async () => {
    const unset = configOf({ SMTP_URL: "smtp://127.0.0.1:9", SITE_URL: "https://a.example" });
    const late = new Date(monday.getTime() + 7 * 60 * 60 * 1000);
    await plan(await draft());
    expect(await carryOutDuePlans(site(late))).toMatchObject([
      { problem: expect.stringContaining("more than six hours ago") },
    ]);
    await plan(await draft(), monday, "all");
    expect(await carryOutDuePlans({ ...site(monday), config: unset })).toMatchObject([
      { problem: expect.stringMatching(/street and number.*postal code/) },
    ]);
    expect(await listIssues(database.db)).toEqual([]);
  });

  test("is called off, and goes with its draft or its publication by hand", async () => {
    const { db } = database;
    const [off, gone, published] = [await draft(), await draft(), await draft()] as const;
    const planned = await plan(off);
    for (const id of [gone, published]) await plan(id);
    await cancelPlan(db, planned.ok ? planned.planId : 0);
    await db.deleteFrom("drafts").where("id", "=", gone).execute();
    const byHand = await publishNow(site(), { id: published, version: 1 });
    expect(byHand).toMatchObject({ ok: true, issueId: 1 });
    expect(await listPlans(db)).toEqual([]);
    expect(await carryOutDuePlans(site(monday))).toEqual([]);
    expect(await listIssues(db)).toHaveLength(1);
  });

  test("is refused for what can't be published then", async () => {
    const id = await draft();
    const empty = await draft({ title: "", body: "" });
    expect(await plan(99)).toMatchObject({ problem: "The draft was deleted." });
    expect(await plan(empty)).toMatchObject({
      problem: expect.stringContaining("nothing to publish"),
    });
    const [over, far] = ["2026-11-28T14:59:00.000Z", "2036-11-30T12:00:00.000Z"];
    expect(await plan(id, new Date(over))).toMatchObject({
      problem: expect.stringContaining("is over in Toronto"),
    });
    expect(await plan(id, new Date(far))).toMatchObject({
      problem: expect.stringContaining("more than a year ahead"),
    });
    const sent = { draftId: id, at: monday, audience: "all" } as const;
    const bare = { ...site(), config: configOf({}) };
    expect(await planDraft(bare, sent)).toMatchObject({ ok: false });
    expect(await plan(id)).toMatchObject({ ok: true });
  });

  test("a publication by hand is now, whatever date the text says", async () => {
    const { db } = database;
    const body = "---\ndate: 2027-03-14\n---\nBelow the frost.";
    const id = await draft({ body });
    expect(await publishNow(site(), { id, version: 1 })).toMatchObject({ ok: true, issueId: 1 });
    expect(await findIssue(db, 1)).toMatchObject({ publishDate: "2026-11-28" });
  });

  test("publishes a draft and mails it once, however often that is pressed, and nothing without the settings for mail", async () => {
    const { db } = database;
    await addSubscribers(db, 1);
    const id = await draft();
    const bare = { ...site(), config: configOf({}) };
    const request = { id, version: 1, audience: "all" } as const;
    expect(await publishNow(bare, request)).toMatchObject({
      problem: expect.stringContaining("No mail server"),
    });
    expect(await listIssues(db)).toEqual([]);
    const first = await publishNow(site(), request);
    expect(first).toMatchObject({ ok: true, issueId: 1, sendId: 1 });
    await db.updateTable("sends").set({ ended_at: monday.toISOString() }).execute();
    expect(await publishNow(site(), request)).toEqual(first);
    expect(await db.selectFrom("sends").select("issue_id").execute()).toEqual([{ issue_id: 1 }]);
  });

  test("keeps Toronto's wall clock where the clocks go forward in between", async () => {
    await addSubscribers(database.db, 1);
    const before = new Date("2027-03-13T15:00:00.000Z");
    // Seven in the morning is at 12:00 in UTC on the day before, and at 11:00 from this day on.
    const at = torontoMoment("2027-03-14T07:00");
    if (!at) throw new Error("There is no such hour.");
    expect(at).toEqual(new Date("2027-03-14T11:00:00.000Z"));
    const request = { draftId: await draft(), at, audience: "all" as const };
    await planDraft(site(before), request);
    expect(await carryOutDuePlans(site(new Date("2027-03-14T10:59:59.000Z")))).toEqual([]);
    expect(await carryOutDuePlans(site(at))).toHaveLength(1);
    expect(await findIssue(database.db, 1)).toMatchObject({ publishDate: "2027-03-14" });
    expect(await listSends(database.db)).toMatchObject([{ beginsAt: at.toISOString() }]);
  });
});
