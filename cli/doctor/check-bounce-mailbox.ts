import type { ImapFlow } from "imapflow";
import { connectToMailbox, folderOf } from "#newsletter/bounces/bounce-mailbox.ts";
import type { Config } from "#server/settings.ts";
import type { Finding } from "./finding.ts";

/** Opens the bounce mailbox to read, and counts what was left in it for a person. */
export async function checkBounceMailbox({
  bounceMailbox,
}: Pick<Config, "bounceMailbox">): Promise<Finding | null> {
  if (bounceMailbox === null) return null;
  const about = "Bounce mailbox";
  const { host } = new URL(bounceMailbox.url);
  let client: ImapFlow | null = null;
  try {
    client = await connectToMailbox(bounceMailbox.url);
    await client.mailboxOpen(folderOf(bounceMailbox.url), { readOnly: true });
    const flagged = (await client.search({ seen: false, flagged: true }, { uid: true })) || [];
    const opens = `${host} opens; undelivered issues come back to ${bounceMailbox.address}.`;
    if (flagged.length === 0) return { about, state: "ok", message: opens };
    const left = `${flagged.length} ${flagged.length === 1 ? "message is" : "messages are"} flagged there: no report that could be read or proved.`;
    const advice = "Read them, and mark them as read.";
    return { about, state: "note", message: `${opens} ${left}`, advice };
  } catch (error) {
    const message = `${host} can't be read: ${wordsOf(error)}`;
    const advice = "Check BOUNCE_MAILBOX. What comes back waits there meanwhile.";
    return { about, state: "attention", message, advice };
  } finally {
    client?.close();
  }
}

/** imapflow's own message of a refused command says that it failed, and the server's words why. */
function wordsOf(error: unknown): string {
  const { message, responseText } = error as Error & { responseText?: string };
  return responseText ?? message;
}
