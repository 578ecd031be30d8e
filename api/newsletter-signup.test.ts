import { afterEach, beforeEach, expect, test } from "vitest";
import { listSubscribers } from "#newsletter/list-subscribers.ts";
import { type BackendServer, startBackendServer } from "#tests/backend-server.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { expectNothingWritten } from "#tests/nothing-written.ts";

describeOnEachDatabase("signing up over the wire", (database) => {
  let server: BackendServer;

  beforeEach(async () => {
    server = await startBackendServer(database.db);
  });

  afterEach(async () => {
    await server.close();
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
    expect(second.data.message).toMatch(/already subscribed/);
    expect(await listSubscribers(database.db)).toMatchObject([{ consentAddress: "203.0.113.9" }]);
    expect(server.woken).toBe(2);
  });

  test.each([
    "",
    "no address",
    "a@b.example\r\nBcc: c@d.example",
    "a\u0000@b.example",
    "a\ud800@b.example",
  ])(
    "the address %j is answered with words for the visitor, and nothing is written",
    async (email) => {
      const { data, error } = await server.client.invoke("newsletter-signup", { body: { email } });
      expect(error).toBeNull();
      expect(data).toEqual({
        success: false,
        duplicate: false,
        message: "Please enter a valid email address.",
      });
      expect(await listSubscribers(database.db)).toEqual([]);
    },
  );

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
    await expectNothingWritten(database.db, server);
  });
});
