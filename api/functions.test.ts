import { FunctionsHttpError } from "@supabase/supabase-js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listMessages } from "#contact/messages.ts";
import { listOutbox } from "#mail/outbox-list.ts";
import { listSubscribers } from "#newsletter/list-subscribers.ts";
import { type BackendServer, startBackendServer } from "#tests/backend-server.ts";
import { contactMessage } from "#tests/contact-message.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { bodyMaxBytes } from "./function-call.ts";

const contact = { ...contactMessage, subject: "general-inquiry" };
const json = { "content-type": "application/json" };

describeOnEachDatabase("the functions", (database) => {
  let server: BackendServer;

  beforeEach(async () => {
    server = await startBackendServer(database.db);
  });

  afterEach(async () => {
    await server.close();
  });

  /** A call that was refused has left nothing behind, and nothing to send. */
  async function expectNothingWritten() {
    expect(await listMessages(database.db)).toEqual([]);
    expect(await listSubscribers(database.db)).toEqual([]);
    expect(await listOutbox(database.db)).toEqual([]);
    expect(server.woken).toBe(0);
  }

  test("a JSON text is taken as Supabase's client sends it: as an object, a text or a Blob", async () => {
    const text = JSON.stringify(contact);
    for (const body of [contact, text, new Blob([text])]) {
      const { data } = await server.client.invoke("send-contact-email", { body });
      expect(data).toEqual({ success: true });
    }
    const form = new FormData();
    form.set("email", "ana@example.com");
    const { error } = await server.client.invoke("newsletter-signup", { body: form });
    expect((error.context as Response).status).toBe(400);
  });

  test("a body over 64 KB is refused, whether it says its length or not", async () => {
    const body = JSON.stringify({ ...contact, extra: "x".repeat(bodyMaxBytes) });
    expect((await server.post("send-contact-email", body)).status).toBe(413);
    const stream = new Blob([body]).stream();
    expect((await server.post("send-contact-email", stream)).status).toBe(413);
    await expectNothingWritten();
  });

  test("a database that fails is a 503 that gives nothing away, and the next call works again", async () => {
    await database.db.schema.alterTable("outbox").renameTo("outbox_away").execute();
    for (const [name, body] of [
      ["send-contact-email", contact],
      ["newsletter-signup", { email: "ana@example.com" }],
    ] as const) {
      const response = await server.post(name, JSON.stringify(body));
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
      expect(await response.text()).not.toMatch(/outbox|table|relation|sql/i);
    }
    expect(server.logged.join("")).toMatch(/outbox/);
    await database.db.schema.alterTable("outbox_away").renameTo("outbox").execute();
    await expectNothingWritten();
    expect((await server.post("send-contact-email", JSON.stringify(contact))).status).toBe(200);
  });

  test("other methods are not answered", async () => {
    for (const method of ["GET", "PUT", "PATCH", "DELETE"]) {
      const response = await fetch(`${server.origin}/functions/v1/send-contact-email`, { method });
      expect(response.status, method).toBe(405);
      expect(response.headers.get("allow")).toBe("POST, OPTIONS");
      expect(await response.json()).toHaveProperty("error");
    }
  });

  test("a browser of another origin may call, with the headers that Supabase's client sends", async () => {
    const preflight = await fetch(`${server.origin}/functions/v1/newsletter-signup`, {
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
    const refused = await server.post("newsletter-signup", "{", {
      ...json,
      origin: "https://a.example",
    });
    expect(refused.headers.get("access-control-allow-origin")).toBe("*");
  });

  test("Supabase's client signs up, and a second time is told of the duplicate", async () => {
    const body = { email: "ana@example.com" };
    const first = await server.client.invoke("newsletter-signup", { body });
    expect(first.error).toBeNull();
    expect(first.data).toEqual({
      success: true,
      duplicate: false,
      message: expect.stringMatching(/^Thank you for subscribing to our newsletter\. .*confirm/),
    });
    const second = await server.client.invoke("newsletter-signup", {
      body: { email: "ANA@example.com" },
    });
    expect(second.data).toMatchObject({ success: true, duplicate: true });
    expect(second.data.message).toMatch(/already on our list/);
    expect(await listSubscribers(database.db)).toMatchObject([{ consentAddress: "203.0.113.9" }]);
    expect(server.woken).toBe(2);
  });

  test("confirms and unsubscribes by the token of a mail", async () => {
    await server.client.invoke("newsletter-signup", { body: { email: "ana@example.com" } });
    const [{ token, confirmToken } = { token: "", confirmToken: "" }] = await listSubscribers(
      database.db,
    );
    const confirming = { body: { token: confirmToken } };
    const confirmed = await server.client.invoke("newsletter-confirm", confirming);
    expect(confirmed.data).toMatchObject({ success: true });
    expect(await listSubscribers(database.db)).toMatchObject([{ state: "confirmed" }]);
    const left = await server.client.invoke("newsletter-unsubscribe", { body: { token } });
    expect(left.data).toMatchObject({ success: true });
    expect(await listSubscribers(database.db)).toMatchObject([{ state: "unsubscribed" }]);
    const late = await server.client.invoke("newsletter-confirm", confirming);
    expect(late.data).toMatchObject({ success: false, reason: "unsubscribed" });
    for (const name of ["newsletter-confirm", "newsletter-unsubscribe"]) {
      const unknown = await server.client.invoke(name, { body: { token: "nobody's" } });
      expect(unknown.data).toMatchObject({ success: false, reason: "unknown_token" });
      expect((await server.post(name, "{}")).status).toBe(422);
      expect((await server.post(name, '{"token":["x"]}')).status).toBe(400);
    }
  });

  test("a webhook named by the visitor is ignored, and the log tells that it happened and nothing more", async () => {
    const webhookUrl = "http://user:pass@169.254.169.254/latest?secret=1";
    const body = { email: "ana@example.com", webhookUrl };
    await server.client.invoke("newsletter-signup", { body });
    const lines = server.logged.join("");
    expect(lines).toContain("named a webhook that is not the configured one");
    expect(lines).not.toMatch(/169\.254|latest|secret|pass@/);
    server.logged.length = 0;
    const own = { email: "b@example.com", webhookUrl: "https://hooks.example/own" };
    await server.client.invoke("newsletter-signup", { body: own });
    expect(server.logged.join("")).not.toContain("named a webhook");
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

  test("a repeated send with its key is answered like the first, and is one message", async () => {
    const headers = { ...json, "idempotency-key": "0b1c3f5e-form" };
    const send = () => server.post("send-contact-email", JSON.stringify(contact), headers);
    const answers = await Promise.all([send(), send(), send()]);
    for (const answer of answers) {
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ success: true });
    }
    const padded = JSON.stringify({ ...contact, firstName: "  Ana " });
    expect((await server.post("send-contact-email", padded, headers)).status).toBe(200);
    expect(await listMessages(database.db)).toHaveLength(1);
    expect(await listOutbox(database.db)).toHaveLength(1);
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
    ["nothing", "", 400],
    ["a list", "[]", 400],
    ["null", "null", 400],
    ["text", '"a"', 400],
    ["broken UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), 400],
    ["deep nesting", "[".repeat(60_000), 400],
    ["a number for a name", JSON.stringify({ ...contact, firstName: 7 }), 400],
    ["an object for a name", JSON.stringify({ ...contact, firstName: {} }), 400],
    ["null for a company", JSON.stringify({ ...contact, company: null }), 400],
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
    const body = `{"__proto__":{"admin":true},"id":9,"constructor":1,"firstName":"First",${JSON.stringify(contact).slice(1)}`;
    expect((await server.post("send-contact-email", body)).status).toBe(200);
    expect(await listMessages(database.db)).toMatchObject([contact]);
    expect({}).not.toHaveProperty("admin");
  });
});
