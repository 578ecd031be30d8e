import { open, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { errorCode } from "#db/describe-causes.ts";
import { mailboxKey } from "./mailbox-key.ts";

const headersMaxBytes = 16 * 1024;

/** `2026-11-21T14-05-09-123Z-<delivery id>.eml`, or its temporary file after a crash. */
const ownName = /^\.?(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z)-([\w-]+)\.eml(?:\.[\w-]+\.tmp)?$/;

export function mailFolder(dataDir: string): string {
  return path.join(dataDir, "mail");
}

/** Names of the mail files of these deliveries, or addressed to `email`. */
export async function findMailFiles(
  dataDir: string,
  { email, deliveryIds }: { email?: string; deliveryIds: string[] },
): Promise<string[]> {
  const mailbox = email === undefined ? "" : mailboxKey(email);
  const found: string[] = [];
  for (const name of await ownFiles(dataDir)) {
    const isTheirs =
      deliveryIds.includes(ownName.exec(name)?.[2] ?? "") ||
      (await addressesOf(path.join(mailFolder(dataDir), name))).map(mailboxKey).includes(mailbox);
    if (isTheirs) found.push(name);
  }
  return found;
}

export async function mailFilesBefore(dataDir: string, moment: string): Promise<string[]> {
  const limit = moment.replace(/[:.]/g, "-");
  return (await ownFiles(dataDir)).filter((name) => (ownName.exec(name)?.[1] ?? limit) < limit);
}

export async function deleteMailFiles(dataDir: string, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(path.join(mailFolder(dataDir), name), { force: true });
}

async function ownFiles(dataDir: string): Promise<string[]> {
  try {
    return (await readdir(mailFolder(dataDir))).filter((name) => ownName.test(name)).sort();
  } catch (error) {
    return ignoreMissing(error) ?? [];
  }
}

function ignoreMissing(error: unknown): null {
  if (errorCode(error) === "ENOENT") return null;
  throw error;
}

async function addressesOf(file: string): Promise<string[]> {
  const handle = await open(file, "r").catch(ignoreMissing);
  // It was renamed meanwhile.
  if (!handle) return [];
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headersMaxBytes), 0);
    const [headers = ""] = buffer.toString("utf8", 0, bytesRead).split("\r\n\r\n");
    const lines = headers.replace(/\r\n[ \t]+/g, " ").split("\r\n");
    return lines
      .filter((line) => /^(to|reply-to|from|cc):/i.test(line))
      .flatMap((line) => line.match(/[^\s<>",:;]+@[^\s<>",:;]+/g) ?? []);
  } finally {
    await handle.close();
  }
}
