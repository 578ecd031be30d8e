import { afterEach, beforeEach } from "vitest";
import { createMailer, type Mailer } from "#mail/create-mailer.ts";
import { type MailServer, startMailServer } from "./mail-server.ts";
import { testSite } from "./site-identity.ts";

/** A mail server for each test, and our mailer, which mails through it; closed after what was made after this. */
export function mailerForEachTest(): { server: MailServer; mailer: Mailer } {
  const current = {} as { server: MailServer; mailer: Mailer };
  beforeEach(async () => {
    current.server = await startMailServer();
    const [smtpUrl, from] = [current.server.url, "Chalkline <site@chalkline.example>"];
    current.mailer = createMailer({ smtpUrl, dataDir: "", from, siteUrl: testSite.url });
  });
  afterEach(async () => {
    current.mailer.close();
    await current.server.close();
  });
  return current;
}
