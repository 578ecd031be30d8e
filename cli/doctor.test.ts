import { once } from "node:events";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { sql } from "kysely";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { openStore } from "#newsletter/open-store.ts";
import { pauseSend, resumeSend } from "#newsletter/sends/sends.ts";
import type { Finding } from "#server/health/check-machine.ts";
import { startMailServer } from "#tests/mail-server.ts";
import { queueTestSend } from "#tests/sends/queue-test-send.ts";
import { runCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";
import { startWebhookReceiver } from "#tests/webhook-receiver.ts";

const folder = folderForEachTest();
let env: Record<string, string>;

beforeEach(async () => {
  // A port that nothing listens on (discard), so that no other program is taken for the site.
  env = { DATA_DIR: path.join(folder.path, "data"), PORT: "9" };
});

async function examine(settings: Record<string, string>) {
  const run = await runCommand(["doctor", "--json"], { env: settings });
  const { findings }: { findings: Finding[] } = JSON.parse(run.stdout);
  return {
    exitCode: run.exitCode,
    about: (name: string) => findings.filter(({ about }) => about === name),
    attention: findings.filter(({ state }) => state === "attention").map(({ about }) => about),
  };
}

it("notes what is unset on a machine for trying out, changes nothing, and ends with 0", async () => {
  const { exitCode, about, attention } = await examine(env);
  expect({ exitCode, attention }).toEqual({ exitCode: 0, attention: [] });
  expect(about("SITE_EMAIL")[0]).toMatchObject({ state: "note" });
  expect(about("Database")[0]?.message).toContain("is not there yet");
  expect(about("Mail")[0]?.message).toContain("no mail server is set");
  expect(about("Claims")).toHaveLength(1);
  const [{ state, advice } = { state: null, advice: "" }] = about("Claims");
  expect([state, advice]).toEqual(["note", expect.stringContaining("50+ GTA businesses served")]);
  // One that names its source.
  expect(advice).not.toContain("391%");
  await expect(stat(env.DATA_DIR ?? "")).rejects.toThrow("ENOENT");
});

it("wants the firm's facts and a mail server for a public site", async () => {
  const { exitCode, attention } = await examine({ ...env, SITE_URL: "https://www.example.com" });
  expect(exitCode).toBe(1);
  expect(attention).toEqual(expect.arrayContaining(["SITE_EMAIL", "SITE_STREET", "Mail"]));
});

it("wants a migration that is missing, a program that is older than its database, and a delivery that failed", async () => {
  const store = await openStore({ dataDir: env.DATA_DIR ?? "", databaseUrl: null });
  const sound = (await examine(env)).about("Database");
  expect(sound.map(({ state, message }) => `${state}: ${message}`).join(" ")).toMatch(
    /^ok: .*ok: migrations are current/s,
  );
  const row = {
    delivery_id: "a",
    kind: "contact-email",
    payload: "{}",
    created_at: "2026-01-02T00:00:00.000Z",
    next_attempt_at: "2026-01-02T00:00:00.000Z",
  };
  await store.db.insertInto("outbox").values(row).execute();
  await store.db.updateTable("outbox").set({ failed_at: "2026-01-02T00:00:00.000Z" }).execute();
  expect((await examine(env)).about("Outbox")[0]).toMatchObject({
    state: "attention",
    message: "0 waiting; 1 failed; 0 delivered.",
  });
  await sql`insert into kysely_migration values ('2999-01-01T00-00-00-later', '')`.execute(
    store.db,
  );
  expect((await examine(env)).about("Database").at(-1)).toMatchObject({
    state: "attention",
    message: expect.stringContaining("2999-01-01T00-00-00-later"),
  });
  await store.db.schema.dropTable("kysely_migration").execute();
  await store.close();
  expect((await examine(env)).about("Database").at(-1)).toMatchObject({
    state: "attention",
    advice: "Run: db migrate",
  });
});

it("signs in to the mail server without sending, and connects to the webhook without an event", async () => {
  const mail = await startMailServer();
  const webhook = await startWebhookReceiver();
  const both = { ...env, SMTP_URL: mail.url, NEWSLETTER_WEBHOOK_URL: webhook.url };
  const reached = await examine(both).finally(() => Promise.all([mail.close(), webhook.close()]));
  expect(reached.attention).toEqual([]);
  expect(reached.about("Mail")[0]?.state).toBe("ok");
  expect(reached.about("Webhook")[0]?.message).toContain("not signed");
  expect([mail.received, webhook.received]).toEqual([[], []]);
  const gone = await examine(both);
  expect(gone).toMatchObject({ exitCode: 1, attention: ["Mail", "Webhook"] });
});

it("tells the site that is ready from another program on its port", async () => {
  let words = "ready\n";
  const server = createServer((_request, response) => response.end(words)).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const at = { ...env, PORT: String((server.address() as AddressInfo).port) };
  expect((await examine(at)).about("Site")[0]?.state).toBe("ok");
  words = "<h1>Something else</h1>";
  expect((await examine(at)).attention).toEqual(["Site"]);
});

it("wants a send that has paused itself to be looked at, and notes one that somebody paused", async () => {
  const store = await openStore({ dataDir: env.DATA_DIR ?? "", databaseUrl: null });
  const id = await queueTestSend(store.db);
  await pauseSend(store.db, { id });
  const byHand = await examine(env);
  expect([byHand.attention, byHand.about("Sends")[0]?.state]).toEqual([[], "note"]);
  await resumeSend(store.db, id);
  await pauseSend(store.db, { id, reason: "The mail server refuses it: 550 5.5.0" });
  await store.close();
  const { exitCode, attention, about } = await examine(env);
  expect([exitCode, attention]).toEqual([1, ["Sends"]]);
  expect(about("Sends")[0]).toMatchObject({
    message: expect.stringContaining("550 5.5.0"),
    advice: expect.stringContaining(`sends resume ${id}`),
  });
});
