import { fillIn, leastWritten, sendButton } from "../contact-form.ts";
import { newAddress } from "../new-address.ts";
import { expect, test } from "./desk-test.ts";

// A server of its own, without subscribers and without what an issue needs to be sent.
test.use({ siteSettings: { SITE_NAME: "Chalkline by links", SITE_STREET: "" } });

test("an issue that nobody can be sent says what is missing and mails a test; its links say whom they brought", {
  tag: "@postgres",
}, async ({ page, site, desk, context }) => {
  const links = `<a href="/pricing?plan=1#faq">Prices</a> <a href="${site.url}/contact">Write</a> <a href="https://example.com/">Elsewhere</a>`;
  const { id } = await site.publish({ title: "With links", html: `<p>${links}</p>` });
  await page.goto(`${desk.url}/issues/${id}`);
  await expect(page.getByText("no confirmed subscriber")).toBeVisible();
  await expect(page.getByText("The street and number are not set")).toBeVisible();
  const effects = page.getByText("Not mailed yet");
  const me = newAddress();
  await page.getByLabel("Send yourself a test first").fill(me);
  await page.getByRole("button", { name: "Send the test" }).click();
  const { html = "" } = await site.mailTo(me);
  expect(html).toContain(`"${site.url}/pricing?plan=1&amp;from-issue=${id}#faq"`);
  expect(html).toContain(`"${site.url}/contact?from-issue=${id}"`);
  expect(html).toContain(`"https://example.com/"`);

  const visitor = await context.newPage();
  await visitor.goto(`${site.url}/newsletter/${id}`);
  await visitor.getByRole("link", { name: "Prices" }).click();
  await visitor.waitForURL(`**/pricing?plan=1&from-issue=${id}#faq`);
  await visitor.getByRole("banner").getByRole("link", { name: "Contact" }).first().click();
  await visitor.waitForURL("**/contact");
  await fillIn(visitor, { ...leastWritten, Email: newAddress() });
  await sendButton(visitor).click();
  await expect(visitor.getByRole("region", { name: /^Your work order Received / })).toBeVisible();
  await visitor.goto(`${site.url}/contact?from-issue=${id}`);
  await visitor.close();

  // A program, a prefetch and whoever asks not to be counted aren't.
  const opened = { "Sec-Fetch-Dest": "document" };
  for (const headers of [{}, { ...opened, "Sec-Purpose": "prefetch" }, { ...opened, DNT: "1" }]) {
    const answer = await fetch(`${site.url}/contact?from-issue=${id}`, {
      headers: new Headers(Object.entries(headers)),
    });
    expect(answer.status).toBe(200);
  }
  await expect(async () => {
    await page.reload();
    await expect(effects).toContainText("2 visits, 1 message.", { timeout: 500 });
  }).toPass();
});
