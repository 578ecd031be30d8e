import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { describeCauses } from "#db/describe-causes.ts";
import type { DkimKey, Mailer, MailerOptions } from "#mail/create-mailer.ts";
import type { Config } from "#settings/settings.ts";

/** Separate mailers, so that a contact message never waits for the newsletter. */
export type Mailers = { desk: Mailer; newsletter: Mailer };

/** Throws a message for the operator if the DKIM key can't be read. */
export function createMailers(config: Config, siteUrl: string): Mailers {
  const { smtpUrl, smtpConnections, dataDir, mailFrom, mailFromNewsletter } = config;
  const name = config.siteName.replace(/["\\]/g, "");
  const shared = { smtpUrl, dataDir, siteUrl, dkim: readDkimKey(config) };
  const mailerFrom = (address: string, connections: Partial<MailerOptions>) =>
    mailerOf({ ...shared, from: `"${name}" <${address}>`, ...connections });
  return {
    desk: mailerFrom(mailFrom, { deskConnections: smtpConnections }),
    newsletter: mailerFrom(mailFromNewsletter, { newsletterConnections: smtpConnections }),
  };
}

/** Nodemailer is loaded with the first mail. */
function mailerOf(options: MailerOptions): Mailer {
  let opening: Promise<Mailer> | undefined;
  const open = () => {
    opening ??= import("#mail/create-mailer.ts").then(({ createMailer }) => createMailer(options));
    return opening;
  };
  return {
    send: async (message, signal) => (await open()).send(message, signal),
    verify: async () => (await open()).verify(),
    close: () => void opening?.then((mailer) => mailer.close()),
  };
}

/** Null if mail isn't signed. Throws, naming the file, if it holds no private key. */
export function readDkimKey({ dkim }: Pick<Config, "dkim">): DkimKey | null {
  if (dkim === null) return null;
  const { domain, selector, keyFile } = dkim;
  try {
    const privateKey = readFileSync(keyFile, "utf8");
    createPrivateKey(privateKey);
    return { domain, selector, privateKey };
  } catch (error) {
    throw new Error(
      `DKIM_KEY_FILE (${keyFile}) must be a private key in PEM: ${describeCauses(error)}`,
    );
  }
}
