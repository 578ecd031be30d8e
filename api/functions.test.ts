import { once } from "node:events";
import { connect } from "node:net";
import { FunctionsHttpError } from "@supabase/supabase-js";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listMessages } from "#contact/messages.ts";
import { type BackendServer, startBackendServer } from "#tests/backend-server.ts";
import { contactMessage } from "#tests/contact-message.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { expectNothingWritten } from "#tests/nothing-written.ts";
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

  test.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonx", ""])(
    "the content type %j is refused",
    async (type) => {
      const response = await server.post(
        "send-contact-email",
        Buffer.from(JSON.stringify(contact)),
        {
          ...(type ? { "content-type": type } : {}),
        },
      );
      expect(response.status).toBe(415);
      await expectNothingWritten(database.db, server);
    },
  );

  test("application/json with a character set is taken", async () => {
    const headers = { "content-type": "Application/JSON; charset=UTF-8" };
    const response = await server.post("send-contact-email", JSON.stringify(contact), headers);
    expect(response.status).toBe(200);
  });

  test("a body over 64 KB is refused, whether it says its length or not", async () => {
    const body = JSON.stringify({ ...contact, extra: "x".repeat(bodyMaxBytes) });
    expect((await server.post("send-contact-email", body)).status).toBe(413);
    const stream = new Blob([body]).stream();
    expect((await server.post("send-contact-email", stream)).status).toBe(413);
    await expectNothingWritten(database.db, server);
  });

  test("a body of exactly 64 KB is read", async () => {
    const padding = bodyMaxBytes - JSON.stringify({ ...contact, extra: "" }).length;
    const body = JSON.stringify({ ...contact, extra: "x".repeat(padding) });
    expect(body).toHaveLength(bodyMaxBytes);
    expect((await server.post("send-contact-email", body)).status).toBe(200);
  });

  test("a Content-Length that says too little cuts the body, and nothing is written", async () => {
    const body = JSON.stringify(contact);
    const socket = connect(server.port, "127.0.0.1");
    socket.write(
      `POST /functions/v1/send-contact-email HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length - 5}\r\n\r\n${body}`,
    );
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 400 /);
    socket.destroy();
    await expectNothingWritten(database.db, server);
  });

  test("a sender that hangs up in the middle writes nothing, and the server goes on", async () => {
    const socket = connect(server.port, "127.0.0.1");
    socket.write(
      `POST /functions/v1/send-contact-email HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"firstName":`,
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    expect((await server.post("send-contact-email", JSON.stringify(contact))).status).toBe(200);
    expect(await listMessages(database.db)).toHaveLength(1);
  });

  test("an endless body is cut off", async () => {
    let sent = 0;
    const stream = new ReadableStream<Uint8Array>({
      async pull(controller) {
        sent += 16_384;
        controller.enqueue(new Uint8Array(16_384).fill(120));
        await new Promise((resolve) => setTimeout(resolve, 1));
      },
    });
    const status = await server.post("send-contact-email", stream).then(
      (response) => response.status,
      () => 413,
    );
    expect(status).toBe(413);
    expect(sent).toBeLessThan(50_000_000);
    expect((await server.post("send-contact-email", JSON.stringify(contact))).status).toBe(200);
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
    await expectNothingWritten(database.db, server);
    expect((await server.post("send-contact-email", JSON.stringify(contact))).status).toBe(200);
  });

  test("an unknown function is a 404 with an object", async () => {
    for (const path of ["nothing-here", "constructor", "a/b", "", "%E0%A4%A"]) {
      const response = await server.post(path, "{}");
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({
        code: "NOT_FOUND",
        message: "Requested function was not found",
      });
    }
    const { error } = await server.client.invoke("nothing-here", { body: {} });
    expect(error).toBeInstanceOf(FunctionsHttpError);
  });

  test.each(["GET", "PUT", "PATCH", "DELETE"])("%s is not answered", async (method) => {
    const response = await fetch(`${server.origin}/functions/v1/send-contact-email`, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST, OPTIONS");
    expect(await response.json()).toHaveProperty("error");
  });

  test("a browser of another origin may call, with the headers that Supabase's client sends", async () => {
    const preflight = await fetch(`${server.origin}/functions/v1/newsletter-signup`, {
      method: "OPTIONS",
      headers: { origin: "https://elsewhere.example", "access-control-request-method": "POST" },
    });
    expect(preflight.ok).toBe(true);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    const allowed = preflight.headers.get("access-control-allow-headers")?.toLowerCase().split(",");
    expect(allowed).toEqual([
      "authorization",
      "x-client-info",
      "apikey",
      "content-type",
      "x-retry-count",
      "idempotency-key",
      "form-evidence",
    ]);
    const refused = await server.post("newsletter-signup", "{", {
      ...json,
      origin: "https://a.example",
    });
    expect(refused.headers.get("access-control-allow-origin")).toBe("*");
  });
});
