import { expect, test } from "vitest";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import { newSubscriberToken } from "#newsletter/subscriber-token.ts";
import { readComposed } from "#tests/read-composed.ts";
import { testSite } from "#tests/site-identity.ts";
import { confirmationEmail } from "./confirmation-email.ts";
import { createConfirmationMails } from "./confirmation-mails.ts";
import { createMailer } from "./create-mailer.ts";

const mailer = createMailer({
  smtpUrl: null,
  dataDir: "",
  from: '"Chalkline" <site@chalkline.example>',
  siteUrl: testSite.url,
});

/** Names and hosts of every length at which an encoded line may end elsewhere, and an address that is in no header. */
const sites = [
  ...Array.from({ length: 38 }, (_, count) => ({
    ...testSite,
    name: `Chalk${"l".repeat(2 * count)}`,
    url: `https://${"c".repeat(count + 1)}.example`,
  })),
  { ...testSite, url: "http://127.0.0.1:3000", name: "Chalkline & Söhne" },
];

const deliveryId = "0b1c3f5e-0000-4000-8000-000000000001";
const createdAt = "2026-11-21T14:05:09.123Z";

async function expectAlike(site: SiteIdentity, links: { confirmToken?: string | null }) {
  const mailOf = createConfirmationMails(mailer.compose, site);
  // The second one comes from what the first one was composed for.
  for (const email of ["reader@example.com", "Ana@souza.example"]) {
    const payload = { email, token: newSubscriberToken(), ...links };
    const { composed } = await mailOf({ deliveryId, createdAt, payload });
    const alone = confirmationEmail({ deliveryId, createdAt, payload, site });
    expect(await readComposed(composed)).toEqual(await readComposed(await mailer.compose(alone)));
  }
}

test("a mail that is filled in reads as one that was composed for its address alone", async () => {
  for (const site of sites) await expectAlike(site, { confirmToken: newSubscriberToken() });
  for (const links of [{ confirmToken: null }, {}]) await expectAlike(testSite, links);
});

test("an address that has to be written in another way in a header gets a mail of its own", async () => {
  const mailOf = createConfirmationMails(mailer.compose, testSite);
  const payload = { email: "zoë@bücher.example", token: newSubscriberToken(), confirmToken: null };
  const mail = await mailOf({ deliveryId, createdAt, payload });
  expect(mail).toEqual(confirmationEmail({ deliveryId, createdAt, payload, site: testSite }));
});
