import path from "node:path";
import { isZip, openZip, unreadableZip } from "#operator/zip-files.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandError } from "../command-error.ts";
import { decodeText, readBytes } from "../text-files.ts";

/** More than 200,000 rows of the most talkative program. */
const listMaxBytes = 50_000_000;

const saveAsCsv =
  'is a spreadsheet. Open it, save the sheet with the addresses as "CSV UTF-8", and import that file.';

/**
 * The lists in a file: the file itself, or those of a program's export in a zip file, as it is downloaded. Who is in a
 * file of people who never subscribed, or are no longer mailed, is left out.
 */
export async function readListFiles(context: CommandContext, given: string) {
  const { name, bytes } = await readBytes(context, given, { maxBytes: listMaxBytes });
  const start = bytes.subarray(0, 8).toString("latin1");
  if (start.startsWith("\u00d0\u00cf\u0011\u00e0")) throw new CommandError(`${name}: ${saveAsCsv}`);
  if (start.startsWith("\u001f\u008b") || start.startsWith("7z") || start.startsWith("Rar!")) {
    throw new CommandError(`${name}: is packed. Unpack it, and import the list that is in it.`);
  }
  if (!isZip(bytes)) {
    if (isNobodysList(name)) throw new CommandError(`${name}: ${neverSubscribed}`);
    return { files: [{ name, text: decodeText(name, bytes, { keepInvalid: true }) }], leftOut: [] };
  }
  return await readZip(name, bytes);
}

const neverSubscribed =
  "holds people who never subscribed, or whom the other program no longer mails, by its name; nobody in it is imported.";

/** Mailchimp's contacts without consent, and those it has put away: their columns are those of subscribers. */
function isNobodysList(name: string): boolean {
  return /non[-_ ]?subscribed|^archived[-_]/i.test(path.basename(name));
}

/** What a file's name says of everybody in it. */
export function stateInName(name: string): "unsubscribed" | "bounced" | undefined {
  const [word] = /^(?:unsubscribed|cleaned|bounced)(?![a-z])/i.exec(path.basename(name)) ?? [];
  if (word === undefined) return undefined;
  return /^u/i.test(word) ? "unsubscribed" : "bounced";
}

// Beside them, Substack's export has files of who opened which post.
const exportedList = /^(?:email_list|subscribed|unsubscribed|cleaned)[._-][^/]*\.csv$/i;

async function readZip(name: string, bytes: Buffer) {
  const zip = await openZip(bytes);
  if (!zip.ok) throw new CommandError(unreadableZip(name, zip.why));
  if (zip.names.some((file) => /^(?:xl\/|content\.xml$|Index\/)/.test(file))) {
    throw new CommandError(`${name}: ${saveAsCsv}`);
  }
  const tables = zip.names.filter((file) => /\.csv$/i.test(file));
  const known = tables.filter((file) => exportedList.test(path.posix.basename(file)));
  const lists = tables.filter((file) => !isNobodysList(file));
  const read = known.length > 0 ? known : lists.length === 1 ? lists : [];
  if (read.length === 0) {
    const shown = (tables.length > 0 ? tables : zip.names).slice(0, 10).join(", ");
    throw new CommandError(
      `${name}: it isn't clear which file in it is the list. Unpack it, and import that one: ${shown}.`,
    );
  }
  const files = [];
  for (const file of read) {
    const list = `${name}/${file}`;
    const content = await zip.read(file, listMaxBytes);
    if (content === null) throw new CommandError(`${list}: is damaged or too large.`);
    files.push({ name: list, text: decodeText(list, content, { keepInvalid: true }) });
  }
  const leftOut = zip.names.filter(isNobodysList);
  return { files, leftOut: leftOut.map((file) => `${name}/${file}: ${neverSubscribed}`) };
}
