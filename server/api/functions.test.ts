import { FunctionsHttpError } from "@supabase/supabase-js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listSubscribers } from "#newsletter/subscribers/list-subscribers.ts";
import { type BackendServer, startBackendServer } from "#tests/backend-server.ts";
import { contactMessage } from "#tests/contact-message.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { listMessages } from "#tests/list-messages.ts";
import { listOutbox } from "#tests/list-outbox.ts";
import { bodyMaxBytes } from "./functions.ts";

const contact = { ...contactMessage, subject: "general-inquiry" };
const json = { "content-type": "application/json" };
const email = "ana@example.com";

describeOnEachDatabase("the functions", (database) => {
  let server: BackendServer;

  beforeEach(async () => {
    server = await startBackendServer(database.db);
  });

  afterEach(async () => {
    await server.close();
  });

  const signUp = (address = email, headers = {}) =>
    server.client.invoke("newsletter-signup", { body: { email: address }, headers });

  const follow = (name: "newsletter-confirm" | "newsletter-unsubscribe", token: string | null) =>
    server.client.invoke(name, { body: { token } });

  async function theSubscriber() {
    const [subscriber, ...others] = await listSubscribers(database.db);
    expect(others).toEqual([]);
    if (!subscriber) throw new Error("There is no subscriber.");
    return subscriber;
  }

  async function expectNothingWritten() {
    const { db } = database;
    expect(await listMessages(db)).toEqual([]);
    expect(await listSubscribers(db)).toEqual([]);
    expect(await listOutbox(db)).toEqual([]);
  }

  test("Supabase's client signs up, and a second time is told of the duplicate", async () => {
    const first = await signUp();
    expect(first.error).toBeNull();
    expect(first.data).toEqual({
      success: true,
      duplicate: false,
      message: expect.stringMatching(/^Thank you for subscribing to our newsletter\. .*confirm/),
    });
    const second = await signUp("ANA@example.com");
    expect(second.data).toMatchObject({ success: true, duplicate: true });
    expect(second.data.message).toMatch(/already on our list/);
    expect(await theSubscriber()).toMatchObject({
      state: "unconfirmed",
      consentAddress: "203.0.113.9",
      consentText: expect.stringContaining("may email you"),
    });
    const mails = (await listOutbox(database.db)).filter(
      ({ kind }) => kind === "confirmation-email",
    );
    expect(mails).toHaveLength(1);
  });

  test("the links of a mail confirm and unsubscribe, however often they are followed", async () => {
    await signUp();
    const { token, confirmToken } = await theSubscriber();
    for (let n = 0; n < 2; n += 1) {
      const { data } = await follow("newsletter-confirm", confirmToken);
      expect(data).toMatchObject({ success: true });
    }
    expect(await theSubscriber()).toMatchObject({ state: "confirmed" });
    for (let n = 0; n < 2; n += 1) {
      const { data } = await follow("newsletter-unsubscribe", token);
      expect(data).toMatchObject({ success: true });
    }
    expect(await theSubscriber()).toMatchObject({ state: "unsubscribed" });
    const late = await follow("newsletter-confirm", confirmToken);
    expect(late.data).toMatchObject({ success: false, reason: "unsubscribed" });
    for (const name of ["newsletter-confirm", "newsletter-unsubscribe"] as const) {
      const unknown = await follow(name, "nobody's");
      expect(unknown.data).toMatchObject({ success: false, reason: "unknown_token" });
      expect((await server.post(name, "{}")).status).toBe(422);
      expect((await server.post(name, '{"token":["x"]}')).status).toBe(400);
    }
  });

  test("a JSON text is taken as Supabase's client sends it: as an object, a text or a Blob", async () => {
    const { client } = server;
    const text = JSON.stringify(contact);
    for (const body of [contact, text, new Blob([text])]) {
      const { data } = await client.invoke("send-contact-email", { body });
      expect(data).toEqual({ success: true });
    }
    const form = new FormData();
    form.set("email", email);
    const { error } = await client.invoke("newsletter-signup", { body: form });
    expect((error.context as Response).status).toBe(400);
  });

  test("a body over 96 KB is refused, whether it says its length or not", async () => {
    const { post } = server;
    const body = JSON.stringify({ ...contact, extra: "x".repeat(bodyMaxBytes) });
    expect((await post("send-contact-email", body)).status).toBe(413);
    const stream = new Blob([body]).stream();
    expect((await post("send-contact-email", stream)).status).toBe(413);
    await expectNothingWritten();
  });

  test("a database that fails is a 503 that gives nothing away, and the next call works again", async () => {
    const { post } = server;
    const { db } = database;
    await db.schema.alterTable("outbox").renameTo("outbox_away").execute();
    for (const [name, body] of [
      ["send-contact-email", contact],
      ["newsletter-signup", { email }],
    ] as const) {
      const response = await post(name, JSON.stringify(body));
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
      expect(await response.text()).not.toMatch(/outbox|table|relation|sql/i);
    }
    await db.schema.alterTable("outbox_away").renameTo("outbox").execute();
    await expectNothingWritten();
    expect(server.logged.join("")).toMatch(/outbox/);
    expect((await post("send-contact-email", JSON.stringify(contact))).status).toBe(200);
  });

  test("a browser of another origin may call, with the headers that Supabase's client sends", async () => {
    const { origin, post } = server;
    const preflight = await fetch(`${origin}/functions/v1/newsletter-signup`, {
      method: "OPTIONS",
      headers: {
        origin: "https://elsewhere.example",
        "access-control-request-method": "POST",
        "access-control-request-headers": "apikey,idempotency-key,traceparent,x-region",
      },
    });
    expect(preflight.ok).toBe(true);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-headers")).toBe(
      "apikey,idempotency-key,traceparent,x-region",
    );
    const refused = await post("newsletter-signup", "{", { ...json, origin: "https://a.example" });
    expect(refused.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("a sign-up that can't be read is refused with success: false", async () => {
    for (const [body, status] of [
      ["{", 400],
      ['{"email":7}', 400],
      ['{"email":"a@b.example","webhookUrl":7}', 400],
      ["{}", 422],
    ] as const) {
      const response = await server.post("newsletter-signup", body);
      expect(response.status).toBe(status);
      expect(await response.json()).toMatchObject({
        success: false,
        error: expect.stringMatching(/./),
      });
    }
    await expectNothingWritten();
  });

  test("Supabase's client reads a refusal as FunctionsHttpError with the fields in its context", async () => {
    const body = { ...contact, firstName: "", email: "nobody" };
    const { data, error } = await server.client.invoke("send-contact-email", { body });
    expect(data).toBeNull();
    expect(error).toBeInstanceOf(FunctionsHttpError);
    const response = error.context as Response;
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      error: "A field is missing or invalid.",
      fields: {
        firstName: "First name is required.",
        email: "Email is not a valid email address.",
      },
    });
    await expectNothingWritten();
  });

  test("an idempotency key that is empty, long or no word is refused", async () => {
    for (const key of ["", "with space", "é", "x".repeat(201)]) {
      const headers = { ...json, "idempotency-key": key };
      const response = await server.post("send-contact-email", JSON.stringify(contact), headers);
      expect(response.status, key).toBe(400);
    }
    await expectNothingWritten();
  });

  const refused: [what: string, body: BodyInit, status: number][] = [
    ["malformed JSON", "{", 400],
    ["a list", "[]", 400],
    ["broken UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), 400],
    ["deep nesting", "[".repeat(60_000), 400],
    ["a number for a name", JSON.stringify({ ...contact, firstName: 7 }), 400],
    ["a missing field", JSON.stringify({ ...contact, message: undefined }), 422],
    ["a field of spaces", JSON.stringify({ ...contact, message: " \n " }), 422],
    ["a 10,000-character name", JSON.stringify({ ...contact, firstName: "x".repeat(10_000) }), 422],
    ["a name of control characters", JSON.stringify({ ...contact, lastName: "\u001b\u0000" }), 422],
    ["half a character", `${JSON.stringify(contact).slice(0, -1)},"company":"\\ud83d"}`, 422],
    ["a bad address", JSON.stringify({ ...contact, email: "a@b@c.example" }), 422],
  ];

  test("a contact message that can't be read, or lacks a field, is refused", async () => {
    for (const [what, body, status] of refused) {
      const response = await server.post("send-contact-email", body);
      expect(response.status, what).toBe(status);
      expect(await response.json(), what).toHaveProperty("error");
    }
    await expectNothingWritten();
  });

  test("unknown fields, __proto__ and repeated names change nothing", async () => {
    const { post } = server;
    const { db } = database;
    const body = `{"__proto__":{"admin":true},"id":9,"constructor":1,"firstName":"First",${JSON.stringify(contact).slice(1)}`;
    expect((await post("send-contact-email", body)).status).toBe(200);
    expect(await listMessages(db)).toMatchObject([contact]);
    expect({}).not.toHaveProperty("admin");
  });

  test("a webhook named by the visitor is ignored, and the log tells that it happened and nothing more", async () => {
    const webhookUrl = "http://user:pass@169.254.169.254/latest?secret=1";
    const body = { email: "ana@example.com", webhookUrl };
    await server.client.invoke("newsletter-signup", { body });
    const lines = server.logged.join("");
    expect(lines).toContain("named a webhook that is not the configured one");
    expect(lines).not.toMatch(/169\.254|latest|secret|pass@/);
  });
});
