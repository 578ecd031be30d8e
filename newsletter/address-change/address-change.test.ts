import { expect, test } from "vitest";
import { describeOnEachDatabase, type TestDatabase } from "#tests/databases.ts";
import { queueTestSend } from "#tests/sends/queue-test-send.ts";
import { testSite } from "#tests/site-identity.ts";
import { checkConsentChains } from "../check-consent-chains.ts";
import { confirmSubscription } from "../confirm-subscription.ts";
import { eraseMailbox } from "../privacy/erase-mailbox.ts";
import { addressHash } from "../privacy/erasures.ts";
import { exportMailbox } from "../privacy/export-mailbox.ts";
import { proveConsent } from "../prove-consent.ts";
import { deleteExpired } from "../retention/delete-expired.ts";
import { beginDueSends } from "../sends/begin-sends.ts";
import { countReaders, listSendRows } from "../sends/find-send.ts";
import { subscribe } from "../subscribe.ts";
import { unsubscribe } from "../unsubscribe.ts";
import { confirmAddressChange } from "./confirm-address-change.ts";
import { requestAddressChange } from "./request-address-change.ts";

const start = Date.parse("2026-11-21T14:00:00.000Z");
const minuteMs = 60_000;
const yearMs = 366 * 24 * 60 * minuteMs;

const old = "ana@old.example";
const fresh = "ana@new.example";

describeOnEachDatabase("changing the address", (database) => {
  test("nothing changes until the new address's owner confirms, and then everything at once", async () => {
    const { db, read, ask, confirm, events, mails, token } = await newsletterOf(database);
    const before = await read(old);
    const oldToken = await token(old);
    expect(await ask(oldToken, fresh)).toEqual({ ok: true });
    expect(await read(old)).toEqual(before);
    expect(await read(fresh)).toBeUndefined();
    expect(await events()).toEqual([]);
    const [mail] = await mails(fresh);
    expect(await confirm(mail?.confirmToken)).toEqual({ ok: true });

    const [from, to] = [await read(old), await read(fresh)];
    expect(from?.unsubscribed_at).not.toBeNull();
    expect(to).toMatchObject({
      email: fresh,
      subscribed_at: before?.subscribed_at,
      unsubscribed_at: null,
      pending_email: null,
    });
    expect(await events()).toEqual([
      ["newsletter.confirmed", fresh],
      ["newsletter.unsubscribed", old],
    ]);
    const [here, away] = [await proveConsent(db, fresh), await proveConsent(db, old)];
    expect([here?.faults, away?.faults]).toEqual([[], []]);
    expect(away?.entries.map(({ event }) => event)).toEqual([
      "signed_up",
      "confirmed",
      "moved_away",
    ]);
    const given = away?.entries[0];
    expect(here?.entries).toMatchObject([
      {
        event: "moved_here",
        occurred_at: given?.occurred_at,
        wording: given?.wording,
        page: "/newsletter",
        network_address: "203.0.113.9",
        carried_hash: given?.hash,
      },
      { event: "confirmed", email: fresh },
    ]);
    expect((await checkConsentChains(db)).broken).toEqual([]);
    // Again, and by what the old mailbox still holds.
    expect(await confirm(mail?.confirmToken)).toEqual({ ok: true });
    expect(await ask(oldToken, "thief@else.example")).toMatchObject({ reason: "not_a_reader" });
    expect(await confirmSubscription(deps(database), { token: oldToken })).toEqual({ ok: true });
    expect(await events()).toHaveLength(2);
    expect(await unsubscribe(deps(database), { token: oldToken })).toEqual({ ok: true });
    expect((await read(fresh))?.unsubscribed_at).not.toBeNull();
    expect(await confirm(mail?.confirmToken)).toMatchObject({ reason: "unsubscribed" });
  });

  test("an issue on its way goes to the new address, and one that has arrived isn't sent there again", async () => {
    const { db, ask, confirm, mails, token } = await newsletterOf(database);
    const arrived = await queueTestSend(db, { issueId: 1 });
    await beginDueSends(database.open, new Date());
    await db.updateTable("send_rows").set({ state: "accepted", settled_at: "2026" }).execute();
    await db.updateTable("sends").set({ state: "finished", ended_at: "2026" }).execute();
    const open = await queueTestSend(db, { issueId: 2 });
    await beginDueSends(database.open, new Date());
    await ask(await token(old), fresh);
    await confirm((await mails(fresh))[0]?.confirmToken);
    const addresses = async (id: number) =>
      (await listSendRows(db, { sendId: id, limit: 10 })).map(({ email, state }) => [email, state]);
    expect(await addresses(open)).toEqual([[fresh, "waiting"]]);
    expect(await addresses(arrived)).toEqual([[old, "accepted"]]);
    // And neither at the address after that.
    await ask(await token(fresh), "ana@newest.example");
    await confirm((await mails("ana@newest.example"))[0]?.confirmToken);
    expect(await addresses(open)).toEqual([["ana@newest.example", "waiting"]]);
    expect(await countReaders(db, 1)).toEqual({ confirmed: 1, withoutIssue: 0 });
    const again = await queueTestSend(db, { issueId: 1 });
    await beginDueSends(database.open, new Date());
    expect(await addresses(again)).toEqual([]);
  });

  test("whatever the new address is already, the answer is the same, and one mail an hour goes there", async () => {
    const { ask, asked, deliver, mails, token, signUp } = await newsletterOf(database);
    await signUp("waits@new.example", { isConfirmed: false });
    await signUp("reads@new.example");
    await signUp("left@new.example");
    await unsubscribe(deps(database), { email: "left@new.example" });
    const oldToken = await token(old);
    for (const address of ["nobody", "waits", "reads", "left"]) {
      expect(await ask(oldToken, `${address}@new.example`)).toEqual({ ok: true });
    }
    // One wish a reader: the mail of the one before is taken back, and its hour stays.
    expect(await asked()).toEqual(["left@new.example"]);
    const otherToken = await token("reads@new.example");
    await ask(oldToken, "ana@new.example", 10 * minuteMs);
    await deliver(10 * minuteMs);
    const due = start + minuteMs + 70 * minuteMs;
    for (const spelling of ["ANA+1@New.example", "ana@new.example"]) {
      await ask(oldToken, spelling, 20 * minuteMs);
      await ask(otherToken, spelling, 30 * minuteMs);
      // At the end of the hour, and of all that is asked one mail.
      expect((await mails("ana@new.example")).slice(1)).toMatchObject([{ at: due }]);
    }
    await signUp("ana+2@new.example", { isConfirmed: false, afterMs: 40 * minuteMs });
    const [, waiting, ...others] = await mails("ana@new.example");
    expect(others).toEqual([]);
    expect(waiting?.at).toBeGreaterThanOrEqual(due);
  });

  test("who leaves takes the wish along, and who had left comes back only by their own confirmation", async () => {
    const { db, ask, confirm, mails, token, read, signUp, events } = await newsletterOf(database);
    await signUp(fresh);
    await unsubscribe(deps(database), { email: fresh });
    const oldToken = await token(old);
    await ask(oldToken, fresh);
    expect((await read(fresh))?.unsubscribed_at).not.toBeNull();
    const [mail] = await mails(fresh);
    await unsubscribe(deps(database), { token: oldToken });
    expect(await db.selectFrom("address_changes").selectAll().execute()).toEqual([]);
    expect(await confirm(mail?.confirmToken)).toMatchObject({ reason: "unknown_token" });
    expect(await ask(oldToken, fresh)).toMatchObject({ reason: "not_a_reader" });
    expect((await read(fresh))?.unsubscribed_at).not.toBeNull();

    await signUp("bo@old.example");
    await ask(await token("bo@old.example"), fresh, 3 * 60 * minuteMs);
    const told = await events();
    await confirm((await mails(fresh)).at(-1)?.confirmToken);
    expect((await read(fresh))?.unsubscribed_at).toBeNull();
    expect((await events()).slice(told.length)).toEqual([
      ["newsletter.confirmed", fresh],
      ["newsletter.unsubscribed", "bo@old.example"],
    ]);
  });

  test("two links at the same moment, also in a circle, move each reader once", async () => {
    const { ask, confirm, mails, token, read, signUp, db } = await newsletterOf(database);
    await signUp("bo@old.example");
    await ask(await token(old), "bo@old.example");
    await ask(await token("bo@old.example"), old);
    const links = [...(await mails(old)), ...(await mails("bo@old.example"))];
    const tokens = links.map(({ confirmToken }) => confirmToken);
    const answers = await Promise.all([...tokens, ...tokens].map((link) => confirm(link)));
    expect(answers.some(({ ok }) => ok)).toBe(true);
    const running = [await read(old), await read("bo@old.example")].filter(
      (row) => row?.unsubscribed_at === null,
    );
    expect(running).toHaveLength(1);
    expect((await checkConsentChains(db)).broken).toEqual([]);
  });

  test("another spelling of the same mailbox is the same reader's", async () => {
    const { db, ask, confirm, mails, token, read, events } = await newsletterOf(database);
    await ask(await token(old), "Ana+matrix@old.example");
    await confirm((await mails(old)).at(-1)?.confirmToken);
    expect(await read(old)).toMatchObject({
      email: "Ana+matrix@old.example",
      unsubscribed_at: null,
    });
    expect((await proveConsent(db, old))?.faults).toEqual([]);
    expect(await events()).toEqual([]);
  });

  test("exports and erasures know of a wish, on either side, and age takes it", async () => {
    const { db, ask, confirm, mails, token, read } = await newsletterOf(database);
    const now = new Date(start + 2 * minuteMs);
    const erase = (email: string) =>
      eraseMailbox({ db, newsletterWebhookUrl: null, now }, { email });
    await ask(await token(old), fresh);
    for (const email of [old, "Ana+x@new.example"]) {
      const held = await exportMailbox(db, { email, now });
      expect(held.address_changes).toMatchObject([{ to_email: fresh }]);
    }
    expect(JSON.stringify(await exportMailbox(db, { email: fresh, now }))).not.toContain(old);
    const [mail] = await mails(fresh);
    expect(await erase(fresh)).toMatchObject({ addressChanges: 1 });
    expect(await mails(fresh)).toEqual([]);
    expect(await confirm(mail?.confirmToken)).toMatchObject({ ok: false });
    const erased = await db.selectFrom("erasures").select("address_hash").execute();
    expect(erased).toEqual([{ address_hash: addressHash(fresh) }]);
    expect((await read(old))?.unsubscribed_at).toBeNull();

    await ask(await token(old), fresh, 2 * 60 * minuteMs);
    await erase(old);
    expect(await db.selectFrom("address_changes").selectAll().execute()).toEqual([]);
    expect(await mails(fresh)).toEqual([]);
  });

  test("a wish that nobody confirms goes with the age of an unconfirmed sign-up", async () => {
    const { db, ask, token } = await newsletterOf(database);
    await ask(await token(old), fresh);
    expect(await deleteExpired(db, new Date(start + 300 * 24 * 60 * minuteMs))).toMatchObject({
      addressChanges: 0,
    });
    expect(await deleteExpired(db, new Date(start + yearMs))).toMatchObject({ addressChanges: 1 });
  });

  test("is no way to hold a mailbox's own sign-up back by a spelling that takes no mail", async () => {
    const { db, ask, mails, signUp, token } = await newsletterOf(database);
    await ask(await token(old), "bo+1@new.example");
    const next_attempt_at = new Date(start + 600 * minuteMs).toISOString();
    await db.updateTable("outbox").set({ attempts: 1, refusals: 1, next_attempt_at }).execute();
    await signUp("bo@new.example", { isConfirmed: false, afterMs: 5 * minuteMs });
    expect((await mails("bo@new.example")).map(({ at }) => at)).toEqual([start + 5 * minuteMs]);
  });
});

function deps({ db }: TestDatabase, afterMs = 0) {
  return {
    db,
    site: testSite,
    newsletterWebhookUrl: "https://hooks.example/own",
    wakeOutbox() {},
    clock: () => new Date(start + minuteMs + afterMs),
  };
}

/** With one reader, whose sign-up's mail and calls are out of the way. */
async function newsletterOf(database: TestDatabase) {
  const { db } = database;
  const token = async (email: string) => (await read(email))?.token ?? "";
  const read = (email: string) =>
    db.selectFrom("subscribers").selectAll().where("mailbox_key", "=", email).executeTakeFirst();
  async function signUp(email: string, { isConfirmed = true, afterMs = 0 } = {}) {
    const origin = { referrer: "/newsletter", requestUrl: testSite.url };
    const clientAddress = "203.0.113.9";
    await subscribe(deps(database, afterMs - minuteMs), { email, ...origin, clientAddress });
    const link = (await read(email))?.confirm_token ?? "";
    if (!isConfirmed) return;
    await confirmSubscription(deps(database, afterMs - minuteMs), { token: link });
    await db.deleteFrom("outbox").where("payload", "like", `%${email}%`).execute();
  }
  await signUp(old);
  const rows = async () =>
    (await db.selectFrom("outbox").selectAll().orderBy("id").execute()).map((row) => ({
      ...row,
      payload: JSON.parse(row.payload),
    }));
  return {
    db,
    token,
    read,
    signUp,
    ask: (link: string, email: string, afterMs = 0) =>
      requestAddressChange(deps(database, afterMs), { token: link, email }),
    confirm: (link: string | undefined) =>
      confirmAddressChange(deps(database), { token: link ?? "" }),
    events: async () =>
      (await rows()).flatMap(({ payload }) =>
        payload.type ? [[payload.type, payload.data.email]] : [],
      ),
    /** As the worker does. */
    deliver: async (afterMs: number) => {
      const delivered_at = new Date(start + minuteMs + afterMs).toISOString();
      await db.updateTable("outbox").set({ delivered_at }).execute();
    },
    /** Who is being asked to confirm a change. */
    asked: async () =>
      (await rows())
        .filter(({ kind }) => kind === "address-change-email")
        .map(({ payload }) => payload.email),
    /** About changes and sign-ups, in every spelling of the mailbox. */
    mails: async (mailbox: string) =>
      (await rows())
        .filter(({ kind, mailbox_key }) => kind.endsWith("-email") && mailbox_key === mailbox)
        .map(({ payload, next_attempt_at }) => ({
          confirmToken: payload.confirmToken as string,
          at: Date.parse(next_attempt_at),
        })),
  };
}
