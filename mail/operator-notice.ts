import type { SiteIdentity } from "#contracts/site-settings.ts";
import { html } from "./html.ts";
import { mailDocument } from "./mail-document.ts";
import type { MailMessage } from "./mail-message.ts";

type OperatorNotice = Pick<MailMessage, "deliveryId" | "date" | "to" | "subject"> & {
  site: SiteIdentity;
  paragraphs: string[];
  /** To look and act, each with what it does where that isn't plain. */
  commands: readonly { does?: string; command: string }[];
  /** When it comes again. */
  ending: string;
};

/** A mail in which the site tells the firm of something that it can look into with commands. */
export function operatorNotice({
  site,
  paragraphs,
  commands,
  ending,
  ...envelope
}: OperatorNotice): MailMessage {
  const lines = commands.map(({ does, command }) => `${does ? `${does}:\n` : ""}    ${command}`);
  const items = commands.map(
    ({ does, command }) =>
      html`<li style="margin:0 0 8px">${does ? html`${does}:<br>` : ""}<code style="background-color:#eef2e9;font-size:14px">${command}</code></li>\n`,
  );
  return {
    ...envelope,
    text: `${[...paragraphs.flatMap((text) => [text, ""]), ...lines, "", ending].join("\n")}\n`,
    html: mailDocument({
      title: envelope.subject,
      sender: site.name,
      content: html`${paragraphs.map((text) => html`<p>${text}</p>\n`)}<ul>
${items}</ul>
<p class="second" style="margin-bottom:0;color:#46526a;font-size:14px">${ending}</p>`,
    }),
  };
}
