import { beforeEach, expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { beginTestSends, queueTestSend } from "#tests/sends/queue-test-send.ts";
import { testSite } from "#tests/site-identity.ts";
import { signUp } from "#tests/visitors.ts";
import { addByHand, type ByHand } from "./add-by-hand.ts";
import { findSubscriber, listSubscribers } from "./list-subscribers.ts";
import { eraseMailbox, proveConsent } from "./privacy.ts";
import { confirmSubscription, endImpliedConsents, unsubscribe } from "./subscribe.ts";

const now = new Date("2026-11-28T15:00:00.000Z");

describeOnEachDatabase("a subscriber whom the owner adds", (database) => {
  let deps: Parameters<typeof addByHand>[0];
  beforeEach(() => {
    deps = { db: database.db, newsletterWebhookUrl: null, now };
  });

  const ann: ByHand = {
    email: "ann@example.com",
    kind: "express",
    how: "Signed the card at the fair.",
    day: "2026-11-20",
  };
  const add = (given: Partial<ByHand> = {}) => addByHand(deps, { ...ann, ...given });

  test("is confirmed with the owner's words as proof, and gets no mail", async () => {
    const added = await add();
    expect(added).toMatchObject({ ok: true, endsAt: null });
    expect(await listSubscribers(database.db, { find: "EXAMPLE ann@" })).toMatchObject([
      {
        state: "confirmed",
        subscribedAt: "2026-11-20T05:00:00.000Z",
        consentText: expect.stringContaining("Signed the card at the fair."),
      },
    ]);
    const proof = await proveConsent(database.db, ann.email);
    const wording = expect.stringMatching(/Express consent, of 2026-11-20\..*Signed the card/s);
    expect(proof?.entries).toContainEqual(expect.objectContaining({ wording }));
    expect(await database.db.selectFrom("outbox").selectAll().execute()).toEqual([]);
  });

  test("is refused with the reason where the proof is missing or over, or the person is known", async () => {
    const { db } = database;
    expect(await add({ email: "ann" })).toEqual({ ok: false, reason: "no_address" });
    expect(await add({ how: "  " })).toEqual({ ok: false, reason: "no_words" });
    expect(await add({ kind: "toString" })).toEqual({ ok: false, reason: "no_kind" });
    expect(await add({ day: "2026-02-30" })).toEqual({ ok: false, reason: "no_day" });
    expect(await add({ day: "2026-11-29" })).toEqual({ ok: false, reason: "day_to_come" });
    const implied = { kind: "question", day: "2026-05-28" };
    expect(await add(implied)).toEqual({ ok: false, reason: "over" });
    expect(await add({ ...implied, kind: "purchase" })).toMatchObject({ ok: true });
    expect(await add()).toMatchObject({ ok: false, reason: "known", state: "agreed for a time" });
    await unsubscribe({ ...deps, db, wakeOutbox() {}, clock: () => now }, { email: ann.email });
    expect(await add()).toMatchObject({ ok: false, reason: "known", state: "left" });
    await eraseMailbox({ ...deps, db }, { email: ann.email });
    expect(await add()).toMatchObject({ ok: false, reason: "known", state: "erased" });
    // Whoever has only asked to confirm is confirmed by it.
    await signUp(db, "bo@example.com", { at: now });
    expect(await add({ email: "bo@example.com" })).toMatchObject({ ok: true });
    expect(await listSubscribers(db)).toMatchObject([{ state: "confirmed" }]);
  });

  test("by an implied consent gets no issue after its end, and has then left", async () => {
    const { db } = database;
    const added = await add({ kind: "question", day: "2026-06-01" });
    expect(added).toMatchObject({ ok: true, endsAt: "2026-12-01T05:00:00.000Z" });
    await add({ email: "bo@example.com" });
    const later = new Date("2026-12-02T15:00:00.000Z");
    await queueTestSend(db, { beginsAt: later });
    expect(await beginTestSends(database.open, later)).toMatchObject([{ recipients: 1 }]);
    expect(await endImpliedConsents(db, { now, newsletterWebhookUrl: null })).toBe(0);
    expect(await endImpliedConsents(db, { now: later, newsletterWebhookUrl: null })).toBe(1);
    if (added.ok) {
      expect(await findSubscriber(db, added.id)).toMatchObject({ state: "unsubscribed" });
    }
  });

  test("by an implied consent who signs up and confirms has agreed for good", async () => {
    const { db } = database;
    const added = await add({ kind: "question", day: "2026-06-01" });
    await signUp(db, ann.email, { at: now });
    const visitor = { ...deps, site: testSite, db, wakeOutbox() {}, clock: () => now };
    expect(await listSubscribers(db)).toMatchObject([{ state: "confirmed" }]);
    const { confirm_token: token } = await db
      .selectFrom("subscribers")
      .select("confirm_token")
      .executeTakeFirstOrThrow();
    expect(await confirmSubscription(visitor, { token: token ?? "" })).toEqual({ ok: true });
    const later = new Date("2026-12-02T15:00:00.000Z");
    expect(await endImpliedConsents(db, { now: later, newsletterWebhookUrl: null })).toBe(0);
    if (added.ok) {
      expect(await findSubscriber(db, added.id)).toMatchObject({
        state: "confirmed",
        consentEndsAt: null,
      });
    }
  });
});
