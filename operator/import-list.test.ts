import { expect, test } from "vitest";
import { lockMailboxes } from "#newsletter/load-subscriber.ts";
import { eraseMailbox, findMailboxRows } from "#newsletter/privacy.ts";
import { deleteExpired } from "#newsletter/retention.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { endProcess } from "#tests/end-process.ts";
import { startProgram } from "#tests/start-program.ts";
import {
  beginImport,
  createImportWorker,
  findUploadedList,
  lookAtList,
  readAgain,
  uploadList,
} from "./import-list.ts";
import { readLists } from "./read-list.ts";

const now = new Date("2026-11-28T12:00:00.000Z");
const consent = "The box on our old site.";

function listOf(count: number): string {
  const rows = Array.from({ length: count }, (_, at) => `${at}@list.example,2024-01-01,`);
  rows[count - 1] += "2025-01-01";
  return ["email,confirmed_at,unsubscribed_at", ...rows].join("\n");
}

describeOnEachDatabase("an uploaded list", (database) => {
  async function upload(text: string, name = "list.csv"): Promise<string> {
    const uploaded = await uploadList(database.db, { name, bytes: Buffer.from(text), now });
    if (!uploaded.ok) throw new Error(uploaded.problem);
    return uploaded.key;
  }
  const find = (key: string) => findUploadedList(database.db, key);
  const startWorker = (reportError: (error: unknown) => void = console.error) => {
    const worker = createImportWorker({
      db: database.db,
      newsletterWebhookUrl: null,
      reportError,
    });
    worker.start();
    return worker;
  };
  async function count(table: "subscribers" | "consent_events"): Promise<number> {
    const counted = database.db.selectFrom(table).select(({ fn }) => fn.countAll().as("rows"));
    return Number((await counted.executeTakeFirstOrThrow()).rows);
  }
  /** The next worker finds the lease of one that is gone run out. */
  const letLeaseEnd = () =>
    database.db.updateTable("leases").set({ held_until: "2026-01-01T00:00:00.000Z" }).execute();

  test("is imported once and whole where its process is killed in the middle and another goes on", async () => {
    const total = 6_000;
    const key = await upload(listOf(total));
    expect(await find(key)).toMatchObject({ outcome: { new: total }, total });
    await beginImport(database.db, key, { consent, now });
    const script = "tests/imports/importing-process.ts";
    const env = { PATH: process.env.PATH ?? "" };
    const words = [script, JSON.stringify(database.settings)];
    const { child } = await startProgram(words, env, /importing/);
    await expect.poll(async () => (await find(key))?.done, { interval: 5 }).toBeGreaterThan(0);
    await endProcess(child, "SIGKILL");
    const broken = await find(key);
    expect(broken?.state).toBe("importing");
    expect(broken?.done).toBeLessThan(total);
    expect(await count("subscribers")).toBe(broken?.done);

    await letLeaseEnd();
    // Two at once, as the desk and the site are.
    const workers = [startWorker(), startWorker()];
    await expect.poll(async () => (await find(key))?.state).toBe("imported");
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(await find(key)).toMatchObject({
      done: total,
      outcome: {
        new: total,
        duplicate: 0,
        leftNow: 0,
        invalidCount: 0,
        states: { confirmed: total - 1, unsubscribed: 1 },
      },
    });
    expect(await count("subscribers")).toBe(total);
    expect(await count("consent_events")).toBe(total);
  });

  test("can be begun again where its import failed", async () => {
    const key = await upload("email,state\nana@example.com,left\n");
    await beginImport(database.db, key, { consent, now });
    await database.db.schema.alterTable("consent_wordings").renameTo("wordings_away").execute();
    const reported: unknown[] = [];
    const worker = startWorker((error) => reported.push(error));
    await expect
      .poll(async () => {
        worker.wake();
        return (await find(key))?.state;
      })
      .toBe("failed");
    expect(reported.length).toBeGreaterThan(0);
    expect(await count("subscribers")).toBe(0);
    await database.db.schema.alterTable("wordings_away").renameTo("consent_wordings").execute();
    expect(await beginImport(database.db, key, { consent, now })).toEqual({ ok: true });
    worker.wake();
    await expect.poll(async () => (await find(key))?.state).toBe("imported");
    await worker.stop();
    expect(await count("subscribers")).toBe(1);
    expect(await beginImport(database.db, key, { consent, now })).toMatchObject({ ok: false });
  });

  test("leaves no cell of itself behind once it is imported", async () => {
    const key = await upload(
      "email,email_disabled,Bo Quill\nana@example.com,Ana Reyes,\nbo@example.com,false,\n",
    );
    await readAgain(database.db, key, { options: { columns: { "Bo Quill": null } }, now });
    expect(await find(key)).toMatchObject({
      outcome: { invalid: [{ message: expect.stringContaining('"ana reyes"') }] },
    });
    await beginImport(database.db, key, { consent, now });
    const worker = startWorker();
    await expect.poll(async () => (await find(key))?.state).toBe("imported");
    await worker.stop();
    const stored = await database.db.selectFrom("imports").selectAll().execute();
    expect(JSON.stringify(stored)).not.toMatch(/ana|quill/i);
    const invalid = [{ line: 2, message: expect.stringMatching(/^email_disabled is not a state/) }];
    expect(await find(key)).toMatchObject({ outcome: { new: 1, invalidCount: 1, invalid } });
  });

  test("is looked at while another process writes, and stays as it was looked at", async () => {
    const files = [{ name: "list.csv", text: listOf(3) }];
    const list = await readLists(files, {}, { consent, now });
    if (!list.ok) throw new Error(list.reason);
    const writer = await database.connect();
    await writer.db.transaction().execute(async (trx) => {
      const mailboxes = list.subscribers.map(({ email }) => email);
      await lockMailboxes(trx, mailboxes);
      expect(await lookAtList(database.db, list)).toMatchObject({ new: 3, duplicate: 0 });
    });
    const key = await upload(listOf(3));
    await database.db.deleteFrom("subscribers").execute();
    const options = { columns: { email: "email", unsubscribed_at: null } as const };
    expect(await readAgain(database.db, key, { options, now })).toEqual({ ok: true });
    const read = await find(key);
    expect(read).toMatchObject({ options, outcome: { states: { unsubscribed: 0 } } });
  });

  test("says what is wrong with it, and is read again as the owner says", async () => {
    const key = await upload("Contact,left_at\nana@example.com,5/1/2022\n");
    expect(await find(key)).toMatchObject({ outcome: { reason: "no_addresses" } });
    const columns = { Contact: "email", left_at: "unsubscribed_at" } as const;
    await readAgain(database.db, key, { options: { columns }, now });
    expect(await find(key)).toMatchObject({ outcome: { reason: "unclear_date" } });
    await readAgain(database.db, key, { options: { columns, dates: "day-first" }, now });
    expect(await find(key)).toMatchObject({ outcome: { ok: true, new: 1 } });
  });

  test("is deleted whole with the first person in it who is erased, who stays out of later ones", async () => {
    const { db } = database;
    const key = await upload('email\n"Ana Reyes <ANA+news@example.com>"\nbo@example.com\n');
    const other = await upload("email\nbo@example.com\n");
    const found = await findMailboxRows(db, "ana@example.com");
    expect(found.lists.map(({ name }) => name)).toEqual(["list.csv"]);
    const deps = { db, newsletterWebhookUrl: null, now };
    expect(await eraseMailbox(deps, { email: "ana@example.com" })).toMatchObject({ lists: 1 });
    expect(await find(key)).toBeNull();
    expect(await find(other)).not.toBeNull();
    const later = await upload("email\nana@example.com\nbo@example.com\n");
    expect(await find(later)).toMatchObject({ outcome: { new: 1, erased: 1 } });
  });

  test("is deleted with an erased person whose address has an apostrophe or a bar", async () => {
    const deps = { db: database.db, newsletterWebhookUrl: null, now };
    for (const email of ["o'hara@example.com", "ana|bo@example.com"]) {
      const key = await upload(`email,name\n'${email}',Ana\n`);
      await upload(`email\n${email}\n`);
      expect(await eraseMailbox(deps, { email }), email).toMatchObject({ lists: 2 });
      expect(await find(key)).toBeNull();
    }
  });

  test("may have a column that is named as what every object of JavaScript has", async () => {
    const key = await upload("email,constructor\nana@example.com,Reyes Ltd.\n");
    expect(await find(key)).toMatchObject({ outcome: { ok: true, new: 1 } });
  });

  test("is deleted a day after its last change", async () => {
    const key = await upload("email\nana@example.com\n");
    const after = (hours: number) => new Date(now.getTime() + hours * 60 * 60 * 1000);
    expect(await deleteExpired(database.db, after(23))).toMatchObject({ lists: 0 });
    expect(await deleteExpired(database.db, after(25))).toMatchObject({ lists: 1 });
    expect(await find(key)).toBeNull();
  });
});
