import { createHmac } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listBookings } from "#contact/bookings.ts";
import { eraseMailbox, exportMailbox } from "#newsletter/privacy.ts";
import { deleteExpired } from "#newsletter/retention.ts";
import { describeErased } from "#operator/person.ts";
import { type BackendServer, startBackendServer } from "#tests/backend-server.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { sendMessage } from "#tests/visitors.ts";

const key = "the-webhooks-own-signing-key";

/** A report as Calendly's documentation shows it, with what isn't read. */
function report(
  event: "created" | "canceled",
  { invitee = "one", email = "Ines@Example.com", more = {} } = {},
): string {
  return JSON.stringify({
    event: `invitee.${event}`,
    created_at: "2026-11-28T14:05:00.000000Z",
    created_by: "https://api.calendly.com/users/AAAA",
    payload: {
      uri: `https://api.calendly.com/scheduled_events/EEEE/invitees/${invitee}`,
      email,
      name: "Ines Weber",
      status: event === "created" ? "active" : "canceled",
      timezone: "America/Toronto",
      created_at: "2026-11-28T14:00:00.000000Z",
      rescheduled: false,
      questions_and_answers: [{ question: "Your trade?", answer: "Roofs", position: 0 }],
      scheduled_event: {
        name: "30-minute call",
        start_time: "2026-12-01T15:00:00.000000Z",
        location: { type: "outbound_call" },
      },
      ...(event === "canceled" && { cancellation: { reason: "Ill", canceler_type: "invitee" } }),
      ...more,
    },
  });
}

function signed(body: string, { secondsAgo = 0, by = key } = {}): Record<string, string> {
  const t = Math.floor(Date.now() / 1000) - secondsAgo;
  const v1 = createHmac("sha256", by).update(`${t}.${body}`).digest("hex");
  return {
    "Content-Type": "application/json",
    "Calendly-Webhook-Signature": `t=${t},v1=${v1}`,
  };
}

describeOnEachDatabase("booking-events", (database) => {
  let server: BackendServer;

  beforeEach(async () => {
    server = await startBackendServer(database.db, { bookingWebhookKey: key });
  });

  afterEach(async () => {
    await server.close();
  });

  async function call(body: string, headers = signed(body)) {
    const response = await server.post("booking-events", body, headers);
    const { recorded, error } = (await response.json()) as { recorded?: number; error?: string };
    return [response.status, recorded ?? error];
  }
  const bookings = () => listBookings(database.db, { limit: 10 });
  const replayed = [401, "This report was sent before."];

  test("a booked call is kept with the message of the same address, in every spelling", async () => {
    await sendMessage(database.db, { email: "ines+site@example.com" });
    expect(await call(report("created"))).toEqual([200, 1]);
    expect(await call(report("created", { invitee: "two", email: "b@example.com" }))).toEqual([
      200, 1,
    ]);
    expect(await bookings()).toMatchObject([
      { email: "b@example.com", messageId: null },
      {
        name: "Ines Weber",
        email: "Ines@Example.com",
        title: "30-minute call",
        answers: "Your trade? Roofs",
        startsAt: "2026-12-01T15:00:00.000Z",
        bookedAt: "2026-11-28T14:00:00.000Z",
        cancelledAt: null,
        messageId: expect.any(Number),
      },
    ]);
  });

  test("a report that is sent again is refused; signed anew it changes nothing", async () => {
    const body = report("created");
    const first = signed(body, { secondsAgo: 20 });
    expect(await call(body, first)).toEqual([200, 1]);
    expect(await call(body, first)).toEqual(replayed);
    expect(await call(body, signed(body, { secondsAgo: 10 }))).toEqual([200, 0]);
    expect(await bookings()).toHaveLength(1);
  });

  test("a cancelled call stays cancelled, whatever comes again or late", async () => {
    const booked = report("created");
    const cancelled = report("canceled");
    const whenBooked = signed(booked, { secondsAgo: 60 });
    expect(await call(booked, whenBooked)).toEqual([200, 1]);
    const whenCancelled = signed(cancelled, { secondsAgo: 30 });
    expect(await call(cancelled, whenCancelled)).toEqual([200, 1]);
    expect(await call(cancelled, whenCancelled)).toEqual(replayed);
    expect(await call(booked, whenBooked)).toEqual(replayed);
    expect(await call(booked)).toEqual([200, 0]);
    const end = { cancelledAt: "2026-11-28T14:05:00.000Z", cancelReason: "Ill" };
    expect(await bookings()).toMatchObject([end]);
    // The end of one comes before its beginning.
    const moved = { invitee: "two", more: { rescheduled: true } };
    const body = report("canceled", moved);
    expect(await call(body, signed(body, { secondsAgo: 30 }))).toEqual([200, 1]);
    expect(await call(report("created", moved))).toEqual([200, 0]);
    expect(await bookings()).toMatchObject([{ cancelReason: "moved to another time" }, end]);
  });

  test("a call without the key's own signature of the last three minutes is refused, and so is another form", async () => {
    const body = report("created");
    const good = signed(body);
    const signature = good["Calendly-Webhook-Signature"] ?? "";
    for (const headers of [
      { "Content-Type": "application/json" },
      signed(body, { by: "another-key-of-somebody" }),
      signed(body, { secondsAgo: 200 }),
      signed(body, { secondsAgo: -200 }),
      signed(`${body} `),
      { ...good, "Calendly-Webhook-Signature": signature.replace(/t=\d/, "t=2") },
      { ...good, "Calendly-Webhook-Signature": `${signature.slice(0, -2)}zz` },
    ]) {
      expect((await call(body, headers))[0]).toBe(401);
    }
    for (const other of [
      "{}",
      JSON.stringify({ event: "routing_form_submission.created", payload: {} }),
      report("created", { email: "nobody" }),
      report("created", { more: { scheduled_event: { name: "x", start_time: "soon" } } }),
    ]) {
      expect((await call(other))[0], other).toBe(422);
    }
    expect(await bookings()).toEqual([]);
    const closed = await startBackendServer(database.db);
    expect((await closed.post("booking-events", body, good)).status).toBe(404);
    await closed.close();
  });

  test("an erasure takes a person's calls, and no report of one brings them back; age takes the rest", async () => {
    const { db } = database;
    await call(report("created"));
    await call(report("created", { invitee: "two", email: "b@example.com" }));
    const { bookings: exported } = await exportMailbox(db, {
      email: "ines@example.com",
      now: new Date(),
    });
    expect(exported).toMatchObject([{ name: "Ines Weber", answers: "Your trade? Roofs" }]);
    const deps = { db, newsletterWebhookUrl: null, now: new Date("2026-11-29T14:00:00.000Z") };
    const erased = await eraseMailbox(deps, { email: "ines@example.com" });
    expect(describeErased({ ...erased, mailFiles: 0 })).toEqual(["1 booked call"]);
    expect(await call(report("canceled"))).toEqual([200, 0]);
    expect(await bookings()).toMatchObject([{ email: "b@example.com" }]);
    expect(await deleteExpired(db, new Date("2028-12-01T14:59:00Z"))).toMatchObject({
      bookings: 0,
    });
    expect(await deleteExpired(db, new Date("2028-12-01T15:01:00Z"))).toMatchObject({
      bookings: 1,
    });
    expect(await bookings()).toEqual([]);
  });
});
