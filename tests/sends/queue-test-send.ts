import type { Kysely } from "kysely";
import type { Database, SendAudience } from "#db/tables.ts";
import { newSendKey, queueSend, tokenPlaceholderOf } from "#newsletter/sends/steer-send.ts";

/** Queues a send of an issue with a short mail, to begin at once, and gives its id. */
export async function queueTestSend(
  db: Kysely<Database>,
  {
    issueId = 1,
    audience = "all",
    beginsAt = new Date(),
    html = "<p>Words.</p>",
  }: { issueId?: number; audience?: SendAudience; beginsAt?: Date; html?: string } = {},
): Promise<number> {
  const sendKey = newSendKey();
  const link = `https://chalkline.example/newsletter/unsubscribe?token=${tokenPlaceholderOf(sendKey)}`;
  const result = await queueSend(db, {
    sendKey,
    issue: { id: issueId, title: "Quotes before lunch" },
    audience,
    mail: {
      subject: "Quotes before lunch",
      html: `${html}<p><a href="${link}">Leave</a></p>`,
      text: `Words.\n\nLeave: ${link}\n`,
    },
    beginsAt,
    now: new Date(),
  });
  if (!result.ok) throw new Error(`The send was not queued: ${result.reason}`);
  return result.id;
}
