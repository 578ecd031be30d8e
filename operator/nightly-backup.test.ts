import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Registry } from "prom-client";
import { expect, test, vi } from "vitest";
import { addReadings } from "#server/metrics.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { newFolder } from "#tests/test-folder.ts";
import { checkDatabase } from "./examine/check-database.ts";
import { backUpInto } from "./nightly-backup.ts";

const day = 86_400_000;

describeOnEachDatabase("the nightly backup", (database) => {
  async function said(now: Date) {
    const findings = await checkDatabase(database.settings, now);
    const { state, message } =
      findings.find(({ about }) => about === "Backups") ?? ({} as Record<string, string>);
    return `${state}: ${message}`;
  }

  async function metrics() {
    const registry = new Registry();
    const readings = { isBackendReady: async () => true, lastDeletionAt: () => null };
    addReadings(registry, { db: database.db, ...readings });
    const lines = (await registry.metrics()).split("\n");
    return lines.filter((line) => line.startsWith("chalkline_last_backup"));
  }

  test("is checked beside the thread that answers visitors, whom a whole file would keep waiting", async () => {
    const prepared = vi.spyOn(DatabaseSync.prototype, "prepare");
    const folder = newFolder();
    expect(await backUpInto(database.settings, { folder, now: new Date() })).toMatchObject({
      ok: true,
    });
    expect(prepared.mock.calls.filter(([words]) => words.includes("integrity_check"))).toEqual([]);
    prepared.mockRestore();
  });

  test("that fails is said with its reason until one is made, and so is one that is late", async () => {
    const [folder, programs] = [path.join(newFolder(), "backups"), newFolder()];
    const environment = { PATH: `${programs}:/bin:/usr/bin` };
    // Debian's own refuse a server newer than themselves, as that of the tests is.
    const put = (name: string, script: string) =>
      writeFileSync(path.join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    put("pg_restore", "true");
    put("pg_dump", "echo 'server version mismatch' >&2; echo aborting >&2; exit 1");
    const now = new Date("2026-11-21T04:15Z");
    const dayBefore = new Date(now.getTime() - day);
    const backUpAt = (at: Date) => backUpInto(database.settings, { folder, now: at, environment });
    expect(await said(now)).toContain("note: none was made");
    expect(await metrics()).toEqual([]);

    expect(await backUpAt(dayBefore)).toMatchObject({ ok: false });
    const failed = "attention: the backup of 2026-11-19 23:15 failed: ";
    expect(await said(now)).toContain(`${failed}there is no folder ${folder}.`);
    mkdirSync(folder);
    if (database.kind === "postgres") {
      await backUpAt(dayBefore);
      expect(await said(now)).toContain(
        `${failed}pg_dump here is older than the database: install that server's postgresql-client`,
      );
      expect(readdirSync(folder)).toEqual([]);
    }

    put(
      "pg_dump",
      'for word; do case $word in --file=*) echo dump >"$(echo "$word" | cut -c8-)"; esac; done',
    );
    expect(await backUpAt(now)).toMatchObject({ ok: true });
    const [name = ""] = readdirSync(folder);
    expect(await said(now)).toBe(`ok: The last one was made at 2026-11-20 23:15 (${name}).`);
    const series = "chalkline_last_backup_timestamp_seconds";
    expect(await metrics()).toEqual([
      `${series}{outcome="made"} ${now.getTime() / 1000}`,
      `${series}{outcome="failed"} ${dayBefore.getTime() / 1000}`,
    ]);
    expect(await said(new Date(now.getTime() + 3 * day))).toContain("attention: The last one was");
  });
});
