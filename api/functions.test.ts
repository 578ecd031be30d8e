import { afterEach, beforeEach, expect, test } from "vitest";
import { type BackendServer, startBackendServer } from "#tests/backend-server.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { testFunctions } from "#tests/function-behaviours.ts";

describeOnEachDatabase("the functions", (database) => {
  let server: BackendServer;

  beforeEach(async () => {
    server = await startBackendServer(database.db);
  });

  afterEach(async () => {
    await server.close();
  });

  testFunctions(() => ({ ...server, db: database.db }));

  test("what was written wakes the outbox, and what was refused doesn't", async () => {
    await server.post("newsletter-signup", "{}");
    expect(server.woken).toBe(0);
    await server.post("newsletter-signup", '{"email":"ana@example.com"}');
    expect(server.woken).toBe(1);
  });

  test("reading is not answered", async () => {
    const response = await fetch(`${server.origin}/functions/v1/send-contact-email`);
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST, OPTIONS");
    expect(await response.json()).toHaveProperty("error");
  });

  test("the log says why a call failed", async () => {
    await database.db.schema.dropTable("outbox").execute();
    const failed = await server.post("newsletter-signup", '{"email":"ana@example.com"}');
    expect(failed.status).toBe(503);
    expect(server.logged.join("")).toMatch(/outbox/);
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
});
