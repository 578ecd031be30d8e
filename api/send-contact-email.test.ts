import { FunctionsHttpError } from "@supabase/supabase-js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listMessages } from "#contact/messages.ts";
import { listOutbox } from "#mail/outbox-list.ts";
import { type BackendServer, startBackendServer } from "#tests/backend-server.ts";
import { contactMessage } from "#tests/contact-message.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { expectNothingWritten } from "#tests/nothing-written.ts";

const contact = { ...contactMessage, subject: "general-inquiry" };
const json = { "content-type": "application/json" };

describeOnEachDatabase("sending a contact message over the wire", (database) => {
  let server: BackendServer;

  beforeEach(async () => {
    server = await startBackendServer(database.db);
  });

  afterEach(async () => {
    await server.close();
  });

  test("Supabase's client sends a contact message", async () => {
    const { data, error } = await server.client.invoke("send-contact-email", { body: contact });
    expect(error).toBeNull();
    expect(data).toEqual({ success: true });
    expect(await listMessages(database.db)).toMatchObject([
      { ...contact, senderAddress: "203.0.113.9" },
    ]);
    expect(server.woken).toBe(1);
  });

  test("Supabase's client reads a refusal as FunctionsHttpError with the fields in its context", async () => {
    const body = { ...contact, firstName: "", email: "nobody" };
    const { data, error } = await server.client.invoke("send-contact-email", { body });
    expect(data).toBeNull();
    expect(error).toBeInstanceOf(FunctionsHttpError);
    const response = error.context as Response;
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      error: "A field can't be taken as it is.",
      fields: {
        firstName: "First name is required.",
        email: "Email is not a valid email address.",
      },
    });
    await expectNothingWritten(database.db, server);
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

  test.each(["", "with space", "é", "x".repeat(201)])(
    "the idempotency key %j is refused",
    async (key) => {
      const headers = { ...json, "idempotency-key": key };
      const response = await server.post("send-contact-email", JSON.stringify(contact), headers);
      expect(response.status).toBe(400);
      await expectNothingWritten(database.db, server);
    },
  );

  test.each([
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
    ["an escape in a name", JSON.stringify({ ...contact, lastName: "a\u001b[2J" }), 422],
    ["a NUL in the message", JSON.stringify({ ...contact, message: "a\u0000b" }), 422],
    ["half a character", `${JSON.stringify(contact).slice(0, -1)},"company":"\\ud83d"}`, 422],
    ["a bad address", JSON.stringify({ ...contact, email: "a@b@c.example" }), 422],
  ])("a contact message that is %s is refused", async (_what, body, status) => {
    const response = await server.post("send-contact-email", body);
    expect(response.status).toBe(status);
    expect(await response.json()).toHaveProperty("error");
    await expectNothingWritten(database.db, server);
  });

  test("tabs and line ends pasted into a field of one line are spaces", async () => {
    const pasted = { ...contact, firstName: "First\tMiddle", lastName: "a\r\nBcc: b@c.de" };
    expect((await server.post("send-contact-email", JSON.stringify(pasted))).status).toBe(200);
    expect(await listMessages(database.db)).toMatchObject([
      { firstName: "First Middle", lastName: "a Bcc: b@c.de" },
    ]);
  });

  test("unknown fields, __proto__ and repeated names change nothing", async () => {
    const body = `{"__proto__":{"admin":true},"id":9,"constructor":1,"firstName":"First",${JSON.stringify(contact).slice(1)}`;
    expect((await server.post("send-contact-email", body)).status).toBe(200);
    expect(await listMessages(database.db)).toMatchObject([contact]);
    expect({}).not.toHaveProperty("admin");
  });

  test("the longest message is kept whole, in any script", async () => {
    const message = "字".repeat(10_000);
    const response = await server.post(
      "send-contact-email",
      JSON.stringify({ ...contact, message }),
    );
    expect(response.status).toBe(200);
    expect((await listMessages(database.db))[0]?.message).toBe(message);
  });
});
