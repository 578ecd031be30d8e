import { randomUUID } from "node:crypto";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { describeCauses } from "#db/describe-causes.ts";
import { html, mailDocument } from "#mail/mail-document.ts";
import type { Config } from "#settings/settings.ts";
import { createMailers, type Mailers } from "./create-mailers.ts";

type Sent = { ok: true; folder: string | null } | { ok: false; why: string };

/** Sends a mail that only says that mail works; without a mail server it is a file in `folder`. */
export async function sendTestMail(
  { config, settings }: { config: Config; settings: SiteSettings },
  { address, now }: { address: string; now: Date },
): Promise<Sent> {
  const title = `${config.siteName} can send mail`;
  const text =
    "This came from the desk. If you can read it, messages and newsletters can reach you.";
  let mailers: Mailers | null = null;
  try {
    mailers = createMailers(config, settings.url);
    await mailers.desk.send({
      deliveryId: `test-${randomUUID()}`,
      date: now.toISOString(),
      to: { name: "", address },
      subject: `[Test] ${title}`,
      text,
      html: mailDocument({ title, site: settings, content: html`<p>${text}</p>` }),
    });
    return { ok: true, folder: config.smtpUrl ? null : `${config.dataDir}/mail` };
  } catch (error) {
    return { ok: false, why: describeCauses(error) };
  } finally {
    mailers?.desk.close();
    mailers?.newsletter.close();
  }
}
