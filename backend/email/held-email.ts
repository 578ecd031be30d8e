import { longTorontoTime } from "#content/toronto-time.ts";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import type { OutboxPayloads } from "../outbox/payloads.ts";
import { html } from "./html.ts";
import { mailDocument } from "./mail-document.ts";
import type { MailMessage } from "./mail-message.ts";

type HeldEmailOptions = {
  deliveryId: string;
  payload: OutboxPayloads["held-email"];
  contactTo: string;
  site: SiteIdentity;
};

const commands = [
  ["See held messages", "npm run site -- messages list --held"],
  ["Release one", "npm run site -- messages release ID"],
  ["See held sign-ups", "npm run site -- subscribers list --held"],
  ["Release one", "npm run site -- subscribers release EMAIL"],
] as const;

/** Tells the firm that something is held as suspected spam, and how to look at it. It quotes nothing of it. */
export function heldEmail({ deliveryId, payload, contactTo, site }: HeldEmailOptions): MailMessage {
  const subject = `Held as suspected spam: something sent to ${new URL(site.url).host}`;
  const said = [
    `Something sent through a form at ${site.url} on ${longTorontoTime(payload.heldAt)} looks like spam. It is held: kept with all its words, not mailed to you, and its sender was answered as usual. There may be more of them by now.`,
    "A person can look like a program, so please look through what is held:",
  ];
  const ending = "You get this mail at most once a day, and only after something has been held.";
  return {
    deliveryId,
    date: payload.dueAt,
    to: contactTo,
    subject,
    text: `${[
      ...said.flatMap((text) => [text, ""]),
      ...commands.map(([what, command]) => `${what}:\n    ${command}`),
      "",
      ending,
    ].join("\n")}\n`,
    html: mailDocument({
      title: subject,
      sender: site.name,
      content: html`${said.map((text) => html`<p>${text}</p>\n`)}<ul>
${commands.map(([what, command]) => html`<li style="margin:0 0 8px">${what}:<br><code style="background-color:#eef2e9;font-size:14px">${command}</code></li>\n`)}</ul>
<p class="second" style="margin-bottom:0;color:#46526a;font-size:14px">${ending}</p>`,
    }),
  };
}
