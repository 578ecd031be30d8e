import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { describeCauses } from "#db/describe-causes.ts";
import type { DkimKey, Mailer } from "#mail/create-mailer.ts";
import type { Config } from "#settings/settings.ts";

/** Letters and issues, from their own addresses over one account's connections. */
export type Mailers = { desk: Mailer; newsletter: Mailer };

/** Throws a message for the operator if the DKIM key can't be read. */
export function createMailers(config: Config, siteUrl: string): Mailers {
  const { smtpUrl, smtpConnections: connections, dataDir, mailFrom, mailFromNewsletter } = config;
  const name = config.siteName.replace(/["\\]/g, "");
  const dkim = readDkimKey(config);
  const mailerFrom = (address: string) => ({
    ...{ smtpUrl, dataDir, siteUrl, dkim, connections, from: `"${name}" <${address}>` },
  });
  const letters = { ...mailerFrom(mailFrom), goesFirst: true };
  const issues = mailerFrom(mailFromNewsletter);
  /** Nodemailer is loaded with the first mail. */
  let opening: Promise<Mailers> | undefined;
  const open = () => {
    opening ??= import("#mail/create-mailer.ts").then(({ createMailer, openSmtpPool }) => {
      const pool = smtpUrl === null ? undefined : openSmtpPool({ ...letters, smtpUrl });
      return {
        desk: createMailer({ ...letters, pool }),
        newsletter: createMailer({ ...issues, pool }),
      };
    });
    return opening;
  };
  const mailerOf = (which: keyof Mailers): Mailer => ({
    send: async (message, signal) => (await open())[which].send(message, signal),
    verify: async () => (await open())[which].verify(),
    close: () => void opening?.then((mailers) => mailers[which].close()),
  });
  return { desk: mailerOf("desk"), newsletter: mailerOf("newsletter") };
}

/** Null if mail isn't signed. Throws, naming the file, if it has no private key. */
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
