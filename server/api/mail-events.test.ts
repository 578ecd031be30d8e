import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type BackendServer, startBackendServer } from "#tests/backend-server.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { addSubscribers, subscriberAddress } from "#tests/sends/subscribers.ts";

const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const minuteMs = 60_000;

/** As Resend signs. */
function signed(
  body: string,
  { id = "event-1", at = new Date(), by = secret } = {},
): Record<string, string> {
  return {
    "content-type": "application/json",
    "svix-id": id,
    "svix-timestamp": String(Math.floor(at.getTime() / 1000)),
    "svix-signature": new Webhook(by).sign(id, at, body),
  };
}

/** As Postmark signs in. */
const signedIn = (password = secret) => ({
  "content-type": "application/json",
  authorization: `Basic ${Buffer.from(`postmark:${password}`).toString("base64")}`,
});

describeOnEachDatabase("mail-events", (database) => {
  let server: BackendServer;

  beforeEach(async () => {
    server = await startBackendServer(database.db, { mailEventsSecret: secret });
    await addSubscribers(database.db, 3);
  });

  afterEach(async () => {
    await server.close();
  });

  const bounced = (email: string, type = "Permanent", id = `mail to ${email}`) =>
    JSON.stringify({
      type: "email.bounced",
      created_at: "2026-11-22T23:41:12.126Z",
      data: {
        email_id: id,
        to: [email],
        bounce: { message: `550 5.1.1 <${email}>: no such user`, subType: "General", type },
      },
    });

  async function call(body: string, headers = signed(body)) {
    const response = await server.post("mail-events", body, headers);
    return { status: response.status, ...((await response.json()) as object) };
  }

  async function records() {
    return await database.db
      .selectFrom("bounces")
      .innerJoin("subscribers", "subscribers.mailbox_key", "bounces.mailbox_key")
      .select(["email", "kind", "answer", "bounced_at"])
      .orderBy("bounces.id")
      .execute();
  }

  test("a hard bounce ends mailing the address, however often it's told", async () => {
    const body = bounced(subscriberAddress(0).toUpperCase());
    expect(await call(body)).toEqual({ status: 200, success: true, recorded: 1 });
    expect(await call(body)).toEqual({ status: 200, success: true, recorded: 0 });
    expect(await call(bounced("nobody@example.com"))).toMatchObject({ status: 200, recorded: 0 });
    expect(await records()).toEqual([
      {
        email: subscriberAddress(0),
        kind: "hard",
        answer: "550 5.1.1 the address: no such user",
        bounced_at: expect.any(String),
      },
    ]);
  });

  test("a complaint ends it too; a soft bounce alone doesn't, nor does one that is told five times", async () => {
    const complained = JSON.stringify({
      RecordType: "SpamComplaint",
      ID: 42,
      Type: "SpamComplaint",
      Email: subscriberAddress(1),
    });
    expect(await call(complained, signedIn())).toMatchObject({ recorded: 1 });
    const soft = JSON.stringify({
      RecordType: "Bounce",
      ID: 43,
      Type: "SoftBounce",
      Email: subscriberAddress(2),
      Details: "452 4.2.2 The mailbox is full",
    });
    for (let time = 0; time < 5; time += 1) await call(soft, signedIn());
    expect(await records()).toMatchObject([
      { kind: "complaint", bounced_at: expect.any(String) },
      { kind: "soft", bounced_at: null },
    ]);
  });

  test("nothing is taken that isn't signed, or was signed for another body, by another key or long ago", async () => {
    const body = bounced(subscriberAddress(0));
    const forged = [
      { "content-type": "application/json" },
      signed(bounced(subscriberAddress(1))),
      signed(body, { by: "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }),
      signed(body, { at: new Date(Date.now() - 6 * minuteMs) }),
      { ...signed(body), "svix-id": "event-9" },
      signedIn("another"),
      { ...signedIn(), authorization: `Bearer ${secret}` },
    ];
    for (const headers of forged) {
      expect(await call(body, headers)).toMatchObject({ status: 401, success: false });
    }
    expect(await records()).toEqual([]);
  });

  test("what is genuine and in no known form is refused, and so is a large body", async () => {
    for (const payload of [{}, { type: "email.bounced", data: { to: [7] } }])
      expect(await call(JSON.stringify(payload))).toMatchObject({ status: 422 });
    const large = JSON.stringify({ type: "email.complained", data: "x".repeat(200_000) });
    expect(await call(large)).toMatchObject({ status: 413 });
  });

  test("without a secret there is no such function", async () => {
    await server.close();
    server = await startBackendServer(database.db);
    expect((await call(bounced(subscriberAddress(0)))).status).toBe(404);
  });
});
