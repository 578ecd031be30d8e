import { longTorontoTime } from "#content/toronto-time.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import type { MailMessage } from "./mail-message.ts";
import { operatorNotice } from "./operator-notice.ts";
import type { OutboxPayloads } from "./outbox-jobs.ts";

type HeldEmailOptions = {
  deliveryId: string;
  payload: OutboxPayloads["held-email"];
  contactTo: string;
  site: SiteIdentity;
};

/** Tells the firm that something is held as suspected spam, and how to look at it. It quotes nothing of it. */
export function heldEmail({ deliveryId, payload, contactTo, site }: HeldEmailOptions): MailMessage {
  return operatorNotice({
    deliveryId,
    date: payload.dueAt,
    to: contactTo,
    site,
    subject: `Held as suspected spam: something sent to ${new URL(site.url).host}`,
    paragraphs: [
      `Something sent through a form at ${site.url} on ${longTorontoTime(payload.heldAt)} looks like spam. It is on hold: kept in full but not mailed to you, and the sender got the usual answer. There may be more by now.`,
      "A person can look like a program, so please check what is held:",
    ],
    commands: [
      { does: "See held messages", command: "npm run site -- messages list --held" },
      { does: "Release one", command: "npm run site -- messages release ID" },
      { does: "See held sign-ups", command: "npm run site -- subscribers list --held" },
      { does: "Release one", command: "npm run site -- subscribers release EMAIL" },
    ],
    ending: "You get this email at most once a day, and only when something has been held.",
  });
}
