import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import PostalMime from "postal-mime";
import { expect, test } from "vitest";
import { testSite } from "#tests/site-identity.ts";
import { newFolder } from "#tests/test-folder.ts";
import { createMailer } from "./create-mailer.ts";
import { confirmationEmail } from "./subscriber-letters.ts";

const token = "k3yTokenOfFortyThreeCharacters_-_0123456789";
const unsubscribe = `https://chalkline.example/newsletter/unsubscribe?token=${token}`;

async function write(site = testSite, links: { confirmToken?: string | null } = {}) {
  const dataDir = newFolder();
  const from = "site@chalkline.example";
  const mailer = createMailer({ smtpUrl: null, dataDir, from, siteUrl: site.url });
  const payload = { email: "Ana@souza.example", token, ...links };
  const createdAt = "2026-11-21T14:05:09.123Z";
  await mailer.send(confirmationEmail({ deliveryId: "id-1", createdAt, payload, site }));
  const [file = ""] = await readdir(path.join(dataDir, "mail"));
  const email = await PostalMime.parse(await readFile(path.join(dataDir, "mail", file)));
  const header = (name: string) => email.headers.find((one) => one.key === name)?.value;
  return { email, header };
}

test("asks a reader for nothing, and says how to leave", async () => {
  const { email, header } = await write(testSite, { confirmToken: null });
  expect(email.subject).toBe("You are already subscribed to The Matrix");
  for (const body of [email.text, email.html]) {
    expect(body).toContain(unsubscribe);
    expect(body).toContain("Chalkline, 100 Example Street, Toronto, ON M5V 0A0, Canada");
    expect(body).not.toContain("/newsletter/confirm");
  }
  expect(header("list-unsubscribe")).toBe(`<${unsubscribe}>`);
});

test("offers one-click unsubscribing on https, and says that nobody typed it", async () => {
  const { header } = await write();
  expect(header("list-unsubscribe")).toBe(`<${unsubscribe}>`);
  expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
  expect(header("auto-submitted")).toBe("auto-generated");
});

test("promises no one-click where the site has no https", async () => {
  const { email, header } = await write({ ...testSite, url: "http://localhost:3000" });
  expect(header("list-unsubscribe")).toBeUndefined();
  expect(header("list-unsubscribe-post")).toBeUndefined();
  expect(email.messageId).toBe("<id-1@chalkline.example>");
  expect(email.text).toContain(`http://localhost:3000/newsletter/unsubscribe?token=${token}`);
});
