import { randomUUID } from "node:crypto";
import type { Kysely, Selectable, Updateable } from "kysely";
import { createRecurringWork, endLease, takeLease } from "#db/recurring-work.ts";
import type { Database, Db } from "#db/tables.ts";
import {
  countImport,
  type ImportCounts,
  importSubscribers,
  nothingImported,
} from "#newsletter/import-subscribers.ts";
import type { ListedState } from "#newsletter/subscriber-states.ts";
import { type ListFile, listMaxBytes, unpackLists } from "./list-files.ts";
import {
  asRecord,
  type Columns,
  type ListFault,
  type ListOptions,
  type ListWarning,
  type ReadList,
  type RowProblem,
  readLists,
} from "./read-list.ts";

export type ImportOutcome = {
  ok: true;
  lists: { file: string; from: string; columns: Columns }[];
  warnings: ListWarning[];
  states: Record<ListedState, number>;
  new: number;
  /** Here already, or twice in the list. */
  duplicate: number;
  erased: number;
  /** Subscribers until now, who left there. */
  leftNow: number;
  bouncedNow: number;
  invalidCount: number;
  invalid: RowProblem[];
};

/** Counts what importing a list would do. Only reads. */
export async function lookAtList(db: Db, list: ReadList): Promise<ImportOutcome> {
  return outcomeOf(list, await countImport(db, list.subscribers));
}

/** Imports a list. An interrupted import can be run again. */
export async function importList(
  db: Db,
  list: ReadList,
  {
    onProgress,
    ...options
  }: {
    now: Date;
    newsletterWebhookUrl: string | null;
    onProgress?: (done: number) => void;
  },
): Promise<ImportOutcome> {
  async function keep(_: Db, { done }: { done: number }) {
    onProgress?.(done);
    return true;
  }
  return outcomeOf(list, await importSubscribers(db, list.subscribers, { ...options, keep }));
}

function outcomeOf(list: ReadList, counts: ImportCounts): ImportOutcome {
  const { subscribers, warnings, states, repeated, problems } = list;
  const { added, erased, left, bounced } = counts;
  return {
    ok: true,
    lists: list.lists.map(({ file, format, columns }) => ({
      file,
      from: format.name,
      columns: asRecord(columns),
    })),
    warnings,
    states,
    new: added,
    duplicate: subscribers.length - added - erased - left - bounced + repeated,
    erased,
    leftNow: left,
    bouncedNow: bounced,
    invalidCount: problems.length,
    invalid: problems,
  };
}

// An uploaded list is a row. It is read when it comes, and imported by a process that has the lease, the desk's or the
// site's: closing the tab, or ending the process, ends no import.

export type UploadedList = {
  name: string;
  state: Database["imports"]["state"];
  options: ListOptions;
  outcome: ImportOutcome | ({ ok: false } & ListFault);
  leftOut: string[];
  consent: string;
  done: number;
  total: number;
};

/** Their lines; the others are counted. */
const problemsStored = 200;

export async function uploadList(
  db: Db,
  { name, bytes, now }: { name: string; bytes: Buffer; now: Date },
): Promise<{ ok: true; key: string } | { ok: false; problem: string }> {
  if (bytes.length > listMaxBytes) {
    return { ok: false, problem: `${name}: larger than ${listMaxBytes / 1e6} MB.` };
  }
  const unpacked = await unpackLists(name, bytes);
  if (!unpacked.ok) return unpacked;
  const { files, leftOut } = unpacked;
  const key = randomUUID();
  await db
    .insertInto("imports")
    .values({
      key,
      name,
      files: JSON.stringify(files),
      state: "read",
      done: 0,
      ...(await lookAt(db, files, {}, now)),
      options: JSON.stringify({ leftOut }),
      changed_at: now.toISOString(),
    })
    .execute();
  return { ok: true, key };
}

/** Reads an uploaded list anew, as the owner says; an import that broke off begins anew too. */
export async function readAgain(
  db: Db,
  key: string,
  { options, now }: { options: ListOptions; now: Date },
): Promise<{ ok: true } | { ok: false; reason: "unknown_list" }> {
  const row = await findRow(db, key);
  if (!row || !isOpen(row)) return { ok: false, reason: "unknown_list" };
  const read = await lookAt(db, JSON.parse(row.files), options, now);
  const { leftOut } = JSON.parse(row.options);
  const { numUpdatedRows } = await db
    .updateTable("imports")
    .set({ ...read, options: JSON.stringify({ ...options, leftOut }), state: "read" })
    .set({ done: 0, counts: null, changed_at: now.toISOString() })
    .where("key", "=", key)
    .where("state", "=", row.state)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n ? { ok: true } : { ok: false, reason: "unknown_list" };
}

async function lookAt(db: Db, files: ListFile[], options: ListOptions, now: Date) {
  const list = await readLists(files, options, { consent: "", now });
  const outcome = list.ok ? await lookAtList(db, list) : list;
  return { outcome: storedOutcome(outcome), total: list.ok ? list.subscribers.length : 0 };
}

function storedOutcome(outcome: UploadedList["outcome"]): string {
  if (!outcome.ok) return JSON.stringify(outcome);
  return JSON.stringify({ ...outcome, invalid: outcome.invalid.slice(0, problemsStored) });
}

/** What somebody who is erased may be named in, once the list itself is gone: a quoted cell, or a heading that is none. */
function withoutCells({ lists, invalid, ...counts }: ImportOutcome): ImportOutcome {
  return {
    ...counts,
    lists: lists.map((list) => ({ ...list, columns: {} })),
    warnings: [],
    invalid: invalid.map(({ file, line, message }) => ({
      file,
      line,
      message: message.replace(/ ".*"/s, ""),
    })),
  };
}

function isOpen({ state }: Pick<Selectable<Database["imports"]>, "state">): boolean {
  return state === "read" || state === "failed";
}

/** Begins an import, or goes on with one that broke off. A worker does the rest: wake yours. */
export async function beginImport(
  db: Db,
  key: string,
  { consent, now }: { consent: string; now: Date },
): Promise<{ ok: true } | { ok: false; reason: "unknown_list" }> {
  const { numUpdatedRows } = await db
    .updateTable("imports")
    .set(({ fn, val }) => ({
      state: "importing" as const,
      consent,
      changed_at: now.toISOString(),
      begun_at: fn.coalesce("begun_at", val(now.toISOString())),
    }))
    .where("key", "=", key)
    .where("state", "in", ["read", "failed"])
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n ? { ok: true } : { ok: false, reason: "unknown_list" };
}

async function findRow(db: Db, key: string) {
  return await db.selectFrom("imports").selectAll().where("key", "=", key).executeTakeFirst();
}

export async function findUploadedList(db: Db, key: string): Promise<UploadedList | null> {
  const row = await db
    .selectFrom("imports")
    .select(["name", "state", "options", "outcome", "consent", "done", "total"])
    .where("key", "=", key)
    .executeTakeFirst();
  if (!row) return null;
  const { leftOut, ...options } = JSON.parse(row.options);
  const { name, state, done, total, consent } = row;
  const outcome = JSON.parse(row.outcome);
  return { name, state, done, total, options, leftOut, outcome, consent: consent ?? "" };
}

const leaseName = "import";
/** Renewed with every batch; reading the longest list takes less. */
const leaseMs = 15_000;
const lookEveryMs = 5_000;

/** An import that fails so often in a row waits for the owner. */
const triesMax = 3;

/** Imports what was begun, one list at a time over all processes. */
export function createImportWorker({
  db,
  newsletterWebhookUrl,
  reportError,
}: {
  db: Kysely<Database>;
  newsletterWebhookUrl: string | null;
  reportError: (error: unknown) => void;
}) {
  const holder = randomUUID();
  const lease = (now: Date) => ({ name: leaseName, holder, now, leaseMs });
  let tries = 0;

  /** Returns whether it did something. */
  async function work(stopping: AbortSignal): Promise<boolean> {
    const next = await db
      .selectFrom("imports")
      .select("key")
      .where("state", "=", "importing")
      .orderBy("begun_at")
      .executeTakeFirst();
    if (!next || !(await takeLease(db, lease(new Date())))) return false;
    try {
      const row = await findRow(db, next.key);
      if (row?.state === "importing") await importRow(row, stopping);
      tries = 0;
    } catch (error) {
      reportError(error);
      tries += 1;
      if (tries < triesMax) return false;
      tries = 0;
      await setState(next.key, { state: "failed" });
    } finally {
      await endLease(db, { name: leaseName, holder, until: new Date() });
    }
    return true;
  }

  async function importRow(row: Selectable<Database["imports"]>, stopping: AbortSignal) {
    const { key } = row;
    // A resumed import reads the list as the first did: its own time is in rows without one.
    const now = new Date(row.begun_at ?? row.changed_at);
    const { leftOut, ...options } = JSON.parse(row.options);
    const consent = row.consent ?? "";
    const list = await readLists(JSON.parse(row.files), options, { consent, now });
    if (!list.ok) return await setState(key, { state: "failed", outcome: JSON.stringify(list) });
    const total = list.subscribers.length;
    const after = { done: row.done, counts: JSON.parse(row.counts ?? "null") ?? nothingImported };
    let done = row.done;
    const counts = await importSubscribers(db, list.subscribers, {
      now,
      newsletterWebhookUrl,
      after,
      /** Only on top of what this process has done: another may have taken over, or an erasure deleted the list. */
      async keep(trx, next) {
        const { numUpdatedRows } = await trx
          .updateTable("imports")
          .set({ done: next.done, total, counts: JSON.stringify(next.counts) })
          .set({ changed_at: new Date().toISOString() })
          .where("key", "=", key)
          .where("state", "=", "importing")
          .where("done", "=", done)
          .executeTakeFirstOrThrow();
        if (numUpdatedRows === 0n || stopping.aborted) return false;
        await takeLease(trx, lease(new Date()));
        done = next.done;
        return true;
      },
    });
    if (done < total) return;
    await setState(key, {
      state: "imported",
      outcome: storedOutcome(withoutCells(outcomeOf(list, counts))),
      options: JSON.stringify({ leftOut }),
      files: "[]",
    });
  }

  async function setState(key: string, change: Updateable<Database["imports"]>): Promise<void> {
    await db
      .updateTable("imports")
      .set({ ...change, changed_at: new Date().toISOString() })
      .where("key", "=", key)
      .where("state", "=", "importing")
      .execute();
  }

  return createRecurringWork(async (stopping) => {
    const isBusy = await work(stopping).catch((error) => {
      reportError(error);
      return false;
    });
    return isBusy && !stopping.aborted ? 0 : lookEveryMs;
  });
}
