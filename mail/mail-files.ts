import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "#db/describe-causes.ts";

/** `2026-11-21T14-05-09-123Z-<delivery id>.eml`, or its temporary file after a crash. */
const ownName = /^\.?(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)-([\w-]+)\.eml(?:\.[\w-]+\.tmp)?$/;

export function mailFolder(dataDir: string): string {
  return path.join(dataDir, "mail");
}

/** Names of the mail files of these deliveries, whose jobs are kept as long as the files. */
export async function findMailFiles(dataDir: string, deliveryIds: string[]): Promise<string[]> {
  const files = await ownFiles(dataDir);
  return files.flatMap(({ name, deliveryId }) => (deliveryIds.includes(deliveryId) ? name : []));
}

/** Returns how many. */
export async function deleteMailFilesBefore(dataDir: string, moment: string): Promise<number> {
  const limit = moment.replace(/[:.]/g, "-");
  const names = (await ownFiles(dataDir)).flatMap(({ name, at }) => (at < limit ? name : []));
  await deleteMailFiles(dataDir, names);
  return names.length;
}

export async function deleteMailFiles(dataDir: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(path.join(mailFolder(dataDir), name), { force: true });
}

async function ownFiles(dataDir: string) {
  const names = await readdir(mailFolder(dataDir)).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  });
  return names.toSorted().flatMap((name) => {
    const [, at = "", deliveryId = ""] = ownName.exec(name) ?? [];
    return at ? { name, at, deliveryId } : [];
  });
}
