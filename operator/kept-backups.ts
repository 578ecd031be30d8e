import { createWriteStream } from "node:fs";
import { mkdir, readdir, rename, stat } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { describeCauses } from "#db/describe-causes.ts";
import { syncToDisk } from "#db/write-whole-file.ts";
import { backupName, inWorkshop } from "./nightly-backup.ts";
import { readKind } from "./read-backup.ts";

export type KeptBackup = { name: string; at: string; sizeBytes: number };

const isBackup = /^site-[\w-]+\.(?:sqlite|dump)$/;

/** The newest first, by their names, which begin with their times; from the one after `before` on. */
export async function listBackups(
  folder: string,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<KeptBackup[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => isBackup.test(name));
  const asked = names.filter((name) => before === undefined || name < before);
  const newest = asked.toSorted().reverse().slice(0, limit);
  const found = await Promise.all(newest.map((name) => findBackup(folder, name)));
  return found.filter((backup) => backup !== null);
}

export async function findBackup(folder: string, name: string): Promise<KeptBackup | null> {
  if (!isBackup.test(name)) return null;
  const found = await stat(path.join(folder, name)).catch(() => null);
  return found?.isFile() ? { name, at: found.mtime.toISOString(), sizeBytes: found.size } : null;
}

/** Puts a backup that the owner uploads beside the others, without ever having the whole of it in memory. */
export async function receiveBackup(
  folder: string,
  { bytes, now }: { bytes: AsyncIterable<Uint8Array>; now: Date },
): Promise<
  { ok: true; name: string } | { ok: false; reason: "unknown_kind" | "failed"; why: string }
> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return await inWorkshop(folder, async (place) => {
    const file = path.join(place, "uploaded");
    try {
      await pipeline(bytes, createWriteStream(file, { mode: 0o600 }));
      const kind = await readKind(file);
      if (kind !== "sqlite" && kind !== "dump")
        return { ok: false, reason: "unknown_kind", why: "" };
      const name = `${backupName(now, "uploaded")}.${kind}`;
      await syncToDisk(file);
      await rename(file, path.join(folder, name));
      return { ok: true, name };
    } catch (error) {
      return { ok: false, reason: "failed", why: describeCauses(error) };
    }
  });
}
