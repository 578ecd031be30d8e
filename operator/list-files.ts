import path from "node:path";
import { decodeText, fileKind, openZip, unreadableZip } from "./given-file.ts";

/** More than 200,000 rows of the most talkative program. */
export const listMaxBytes = 50_000_000;

/** A list of subscribers. Its name says whose it is, and sometimes who is in it. */
export type ListFile = { name: string; text: string };

/** `leftOut` names files of people who never subscribed, or are no longer mailed. */
type Unpacked = { ok: true; files: ListFile[]; leftOut: string[] } | { ok: false; problem: string };

/** The lists in a file: the file itself, or those in a program's export in a zip file, as it is downloaded. */
export async function unpackLists(name: string, bytes: Buffer): Promise<Unpacked> {
  const kind = fileKind(bytes);
  if (kind === "an Office document") return refuse(name, isSpreadsheet);
  if (kind === "packed") {
    return refuse(name, "is packed. Unpack it, and import the list that is in it.");
  }
  if (kind === "zip") return await unpackZip(name, bytes);
  return isOfOthers(name) ? refuse(name, neverSubscribed) : readFiles([{ name, bytes }], []);
}

const isSpreadsheet =
  'is a spreadsheet. Open it, save the sheet with the addresses as "CSV UTF-8", and import that file.';

export const neverSubscribed =
  "holds people who never subscribed, or whom the other program no longer mails, by its name; nobody in it is imported.";

function refuse(name: string, why: string): { ok: false; problem: string } {
  return { ok: false, problem: `${name}: ${why}` };
}

/** Mailchimp's contacts without consent, and those it has archived: their columns are those of subscribers. */
function isOfOthers(name: string): boolean {
  return /non[-_ ]?subscribed|^archived[-_]/i.test(path.basename(name));
}

export function stateInName(name: string): "unsubscribed" | "bounced" | undefined {
  const [word] = /^(?:unsubscribed|cleaned|bounced)(?![a-z])/i.exec(path.basename(name)) ?? [];
  if (word === undefined) return undefined;
  return /^u/i.test(word) ? "unsubscribed" : "bounced";
}

// Beside them, Substack's export has files of who opened which post.
const exportedList = /^(?:email_list|subscribed|unsubscribed|cleaned)[._-][^/]*\.csv$/i;

async function unpackZip(name: string, bytes: Buffer): Promise<Unpacked> {
  const zip = await openZip(bytes);
  if (!zip.ok) return { ok: false, problem: unreadableZip(name, zip.why) };
  if (zip.names.some((file) => /^(?:xl\/|content\.xml$|Index\/)/.test(file))) {
    return refuse(name, isSpreadsheet);
  }
  const tables = zip.names.filter((file) => /\.csv$/i.test(file));
  const known = tables.filter((file) => exportedList.test(path.posix.basename(file)));
  const lists = tables.filter((file) => !isOfOthers(file));
  const read = known.length > 0 ? known : lists.length === 1 ? lists : [];
  if (read.length === 0) {
    const shown = (tables.length > 0 ? tables : zip.names).slice(0, 10).join(", ");
    const why = `it isn't clear which file in it is the list. Unpack it, and import that one: ${shown}.`;
    return refuse(name, why);
  }
  const files: { name: string; bytes: Buffer }[] = [];
  for (const file of read) {
    const content = await zip.read(file, listMaxBytes);
    if (content === null) return refuse(`${name}/${file}`, "is damaged or too large.");
    files.push({ name: `${name}/${file}`, bytes: content });
  }
  return readFiles(
    files,
    zip.names.filter(isOfOthers).map((file) => `${name}/${file}`),
  );
}

/** Text that isn't UTF-8 is found when its row is read. */
function readFiles(files: { name: string; bytes: Buffer }[], leftOut: string[]): Unpacked {
  const read: ListFile[] = [];
  for (const { name, bytes } of files) {
    const { text, fault } = decodeText(bytes);
    if (fault?.isBinary)
      return refuse(fault.line === null ? name : `${name}:${fault.line}`, fault.message);
    read.push({ name, text });
  }
  return { ok: true, files: read, leftOut };
}
