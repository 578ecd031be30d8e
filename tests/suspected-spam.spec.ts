import type { Page } from "@playwright/test";
import { releaseMessage } from "#contact/messages.ts";
import { submissionLimits } from "#server/api/limits.ts";
import { callFunction } from "./call-function.ts";
import {
  field,
  fillIn,
  leastWritten,
  noticeOf,
  sendButton,
  subject,
  written,
} from "./contact-form.ts";
import { contactMessage } from "./contact-message.ts";
import { accessibilityFaults } from "./every-page/axe.ts";
import { inDatabase } from "./issue-table.ts";
import { listMessages } from "./list-messages.ts";
import { newAddress } from "./new-address.ts";
import type { SiteServer } from "./site-server.ts";
import { expect, test } from "./site-test.ts";

const send = (page: Page) => sendButton(page).click();
const subscribe = (page: Page) => page.locator("#subscribe button[type=submit]").click();
const emailField = (page: Page) => page.locator("#subscribe-email");
const alertOf = (page: Page, title: string) => page.getByRole("alert").filter({ hasText: title });

async function sendWithSuccess(page: Page) {
  await send(page);
  await expect(noticeOf(page, "Message Sent Successfully!")).toBeVisible();
}

async function subscribeWithSuccess(page: Page, address: string) {
  await emailField(page).fill(address);
  await subscribe(page);
  await expect(noticeOf(page, "Successfully Subscribed!")).toBeVisible();
}

async function expectPastLimit(page: Page, submit: (page: Page) => Promise<void>) {
  const answered = page.waitForResponse((one) => one.request().method() === "POST");
  await submit(page);
  const response = await answered;
  expect(response.status()).toBe(429);
  expect(Number(response.headers()["retry-after"])).toBeGreaterThan(0);
}

async function fillHoneypot(page: Page) {
  await page
    .locator("form:is(#subscribe, #contact-form) input[name=website]")
    .evaluate((field: HTMLInputElement) => {
      field.value = "https://spam.example";
    });
}

async function quarantinedMessages(site: SiteServer, address: string) {
  const listed = await inDatabase(site, (db) => listMessages(db));
  return listed.filter(({ email, heldAt }) => email === address && heldAt);
}

async function quarantinedSignUps(site: SiteServer, address: string) {
  const { subscribers } = JSON.parse(
    await site.command("subscribers", "list", "--state", "quarantined", "--json"),
  );
  return subscribers.filter(({ email }: { email: string }) => email === address);
}

async function useUp(site: SiteServer, name: string, body: object, count = 0) {
  for (let n = 0; n < count; n += 1) {
    expect((await callFunction(site.url, name, body)).status).toBe(200);
  }
}

test("the field for programs can't be seen, reached or heard", async ({ page }) => {
  for (const [path, form] of [
    ["/contact", "#contact-form"],
    ["/newsletter", "#subscribe"],
  ] as const) {
    await page.goto(path);
    const honeypot = page.locator(`${form} input[name=website]`);
    await expect(honeypot).toHaveCount(1);
    // No point of the screen belongs to it.
    const shown = await page.locator(`${form} .honeypot`).evaluate((box) => {
      box.scrollIntoView({ block: "center" });
      const { left, top } = box.getBoundingClientRect();
      const hit = document.elementFromPoint(left + 0.5, top + 0.5);
      return hit !== null && (hit === box || box.contains(hit));
    });
    expect(shown).toBe(false);
    const names = await page.locator(form).ariaSnapshot();
    expect(names).not.toContain("Leave this field empty");

    await page.locator(`${form} [name=email]`).focus();
    for (const key of ["Tab", "Tab", "Tab", "Shift+Tab", "Shift+Tab", "Shift+Tab"]) {
      await page.keyboard.press(key);
      await expect(honeypot).not.toBeFocused();
    }
    await honeypot.evaluate((field) => field.focus());
    await expect(honeypot).not.toBeFocused();
  }
});

for (const javaScriptEnabled of [true, false]) {
  test.describe(`scripts ${javaScriptEnabled ? "on" : "off"}`, () => {
    test.use({ javaScriptEnabled });

    test("past the limit a form keeps its words", async ({ page, site, expectConsole }) => {
      expectConsole(/status of 429/);
      const email = newAddress();
      const { message, signUp } = submissionLimits;
      const words = { ...contactMessage, email };
      await useUp(site, "send-contact-email", words, message.perMailbox?.count);
      await page.goto("/contact");
      await fillIn(page, { ...written, Email: email });
      await expectPastLimit(page, send);
      await expect(alertOf(page, "Failed to Send Message")).toContainText(
        /in (an hour|\d+ minutes), or reach us at hello@chalkline\.example/,
      );
      for (const [label, value] of Object.entries({ ...written, Email: email })) {
        await expect(field(page, label)).toHaveValue(value);
      }
      await expect(subject(page)).toHaveValue("pricing-information");
      // axe needs the page's scripts.
      if (javaScriptEnabled) expect(await accessibilityFaults(page)).toEqual([]);

      await useUp(site, "newsletter-signup", { email }, signUp.perMailbox?.count);
      await page.goto("/newsletter");
      await emailField(page).fill(email);
      await expectPastLimit(page, subscribe);
      await expect(alertOf(page, "Subscription Failed")).toContainText(
        /Please try again in (an hour|\d+ minutes), or/,
      );
      await expect(emailField(page)).toHaveValue(email);
      await expect(emailField(page)).not.toHaveAttribute("aria-invalid");
      if (javaScriptEnabled) expect(await accessibilityFaults(page)).toEqual([]);
    });
  });
}

test("with the hidden field filled in, a form is quarantined", async ({ page, site }) => {
  const address = newAddress();
  await page.goto("/contact");
  await fillIn(page, { ...written, Email: address });
  await fillHoneypot(page);
  await sendWithSuccess(page);
  const [quarantined] = await quarantinedMessages(site, address);
  expect(quarantined).toMatchObject({ heldReason: "hidden_field" });
  // The firm is told at once that something is quarantined, but not its words.
  const note = await site.mail(({ subject }) => /^Held as suspected spam/.test(subject ?? ""));
  expect(note.text).toContain("under Messages");
  expect(note.text).not.toContain("Quotes take three evenings");
  const id = quarantined?.id ?? 0;
  await inDatabase(site, (db) => releaseMessage({ db, now: new Date() }, { id }));
  expect((await site.messageFrom(address)).text).toContain("Quotes take three evenings");

  await page.goto("/newsletter");
  await fillHoneypot(page);
  await subscribeWithSuccess(page, address);
  expect(await quarantinedSignUps(site, address)).toMatchObject([{ held_reason: "hidden_field" }]);
});

test.describe("at a program's speed", () => {
  test.use({ visitorTakesTime: false });

  test("a message says so in its subject, and a sign-up is taken", async ({ page, site }) => {
    // However slow the machine is that the test runs on.
    await page.addInitScript(() => {
      performance.now = () => 80;
    });
    const address = newAddress();
    await page.goto("/contact");
    await fillIn(page, { ...leastWritten, Email: address });
    await sendWithSuccess(page);
    const mail = await site.messageFrom(address);
    expect(mail.subject).toBe("Contact form (sent at a program's speed), from Dana Reyes");
    expect(await quarantinedMessages(site, address)).toEqual([]);

    await page.goto("/newsletter");
    await subscribeWithSuccess(page, address);
    expect(await quarantinedSignUps(site, address)).toEqual([]);
  });

  test.describe("with scripts off", () => {
    test.use({ javaScriptEnabled: false });

    /** Said right before the form is sent, as a busy machine takes its time to fill it in. */
    async function sayMade(page: Page, madeAt: number) {
      await page.locator("input[name=pageMadeAt]").evaluate((made: HTMLInputElement, ms) => {
        made.value = String(ms);
      }, madeAt);
    }

    test("a message to a page just made says so", async ({ page, site, expectConsole }) => {
      expectConsole(/status of 400/);
      const [hasty, mended] = [newAddress(), newAddress()];
      await page.goto("/contact");
      await fillIn(page, { ...leastWritten, Email: hasty });
      await sayMade(page, site.now());
      await sendWithSuccess(page);
      expect((await site.messageFrom(hasty)).subject).toContain("(sent at a program's speed)");

      await page.goto("/contact");
      await fillIn(page, { ...leastWritten, Email: "dana@reyes" });
      await sayMade(page, site.now() - 60_000);
      await send(page);
      await expect(noticeOf(page, "Invalid Email")).toBeVisible();
      await expect(field(page, "Email")).toBeFocused();
      await expect(field(page, "Email")).toHaveAccessibleDescription(
        "Enter the full address, like name@company.ca.",
      );
      await field(page, "Email").fill(mended);
      await sendWithSuccess(page);
      expect((await site.messageFrom(mended)).subject).toBe("Contact form, from Dana Reyes");
    });

    test("the longest message fits, in Chinese and with line breaks", async ({ page, site }) => {
      const address = newAddress();
      const message = `${"报价单\n".repeat(2_499)}报价单完`;
      expect(message).toHaveLength(10_000);
      await page.goto("/contact");
      await fillIn(page, { ...leastWritten, Email: address });
      // At once, since the browser takes half a minute to put thousands of lines in one by one.
      await field(page, "Message").evaluate((field, text) => {
        (field as HTMLTextAreaElement).value = text;
      }, message);
      await sendWithSuccess(page);
      const stored = await inDatabase(site, (db) => listMessages(db));
      expect(stored.find(({ email }) => email === address)?.message).toBe(message);
    });
  });
});
