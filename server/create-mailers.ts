import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { describeCauses } from "#db/describe-causes.ts";
import { createMailer, type DkimKey, type Mailer } from "#mail/create-mailer.ts";
import type { Config } from "./settings.ts";

/** The ways out for mail: the desk's and sign-ups' own, and the newsletter's, so that neither waits for the other. */
export type Mailers = { desk: Mailer; newsletter: Mailer };

/** Throws, in words for the operator, where the key that mail is to be signed with can't be had. */
export function createMailers(config: Config, siteUrl: string): Mailers {
  const { smtpUrl, dataDir, mailFrom, mailFromNewsletter } = config;
  const shared = { smtpUrl, dataDir, siteUrl, dkim: readDkimKey(config) };
  return {
    desk: createMailer({
      ...shared,
      from: mailFromHeader(config.siteName, mailFrom),
      deskConnections: config.smtpConnections,
    }),
    newsletter: createMailer({
      ...shared,
      from: mailFromHeader(config.siteName, mailFromNewsletter),
      newsletterConnections: config.smtpConnections,
    }),
  };
}

/** Null where mail isn't signed. Throws, with the file's name, where it holds no private key. */
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

/** A From: the firm's name and the address that mail comes from. */
function mailFromHeader(siteName: string, address: string): string {
  return `"${siteName.replace(/["\\]/g, "")}" <${address}>`;
}
