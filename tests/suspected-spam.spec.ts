import type { Page } from "@playwright/test";
import { submissionLimits } from "#api/limits.ts";
import { accessibilityFaults } from "./every-page/axe.ts";
import { newAddress } from "./new-address.ts";
import { untilScriptsAreUp } from "./scripts-are-up.ts";
import type { SiteServer } from "./site-server.ts";
import { expect, test } from "./site-test.ts";

const forms = [
  { path: "/contact", form: "#contact-form" },
  { path: "/newsletter", form: "#subscribe" },
];

const fields = {
  "First Name": "Dana",
  "Last Name": "Reyes",
  Message: "Quotes take three evenings a week.",
};

async function open(page: Page, path: string, scripts = true) {
  await page.goto(path);
  if (scripts) await untilScriptsAreUp(page);
}

async function fillContact(page: Page, address: string) {
  for (const [label, value] of Object.entries({ ...fields, Email: address })) {
    await page.getByLabel(label, { exact: true }).fill(value);
  }
}

const send = (page: Page) => page.locator("#contact-form button[type=submit]").click();
const subscribe = (page: Page) => page.locator("#subscribe button[type=submit]").click();
const emailField = (page: Page) => page.locator("#subscribe-email");
const alertOf = (page: Page, title: string) => page.getByRole("alert").filter({ hasText: title });

async function sendWithSuccess(page: Page) {
  await send(page);
  await expect(page.getByText("Message Sent Successfully!", { exact: true })).toBeVisible();
}

async function subscribeWithSuccess(page: Page) {
  await subscribe(page);
  await expect(page.getByText("Successfully Subscribed!", { exact: true })).toBeVisible();
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

async function heldMessages(site: SiteServer, address: string) {
  const { messages } = JSON.parse(await site.command("messages", "list", "--held", "--json"));
  return messages.filter(({ email }: { email: string }) => email === address);
}

async function heldSignUps(site: SiteServer, address: string) {
  const { subscribers } = JSON.parse(await site.command("subscribers", "list", "--held", "--json"));
  return subscribers.filter(({ email }: { email: string }) => email === address);
}

async function useUp(site: SiteServer, name: string, body: object, count: number) {
  for (let n = 0; n < count; n += 1) {
    const answer = await fetch(`${site.url}/functions/v1/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
  }
}

const messagesOf = (address: string) => ({
  firstName: "Dana",
  lastName: "Reyes",
  email: address,
  message: "Hello",
});
const messagesAnHour = submissionLimits.message.perMailbox?.count ?? 0;
const signUpsAnHour = submissionLimits.signUp.perMailbox?.count ?? 0;

for (const { path, form } of forms) {
  test(`the field for programs on ${path} can't be seen, reached or heard`, async ({ page }) => {
    await open(page, path);
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
  });
}

for (const javaScriptEnabled of [true, false]) {
  test.describe(`scripts ${javaScriptEnabled ? "on" : "off"}`, () => {
    test.use({ javaScriptEnabled });

    test("a message past the limit is refused with its words kept, and a notice that is read out", async ({
      page,
      site,
      expectConsole,
    }) => {
      expectConsole(/status of 429/);
      const address = newAddress();
      await useUp(site, "send-contact-email", messagesOf(address), messagesAnHour);
      await open(page, "/contact", javaScriptEnabled);
      await fillContact(page, address);
      await page
        .getByLabel("Subject (optional)", { exact: true })
        .selectOption("Pricing Information");
      await expectPastLimit(page, send);
      const notice = alertOf(page, "Failed to Send Message");
      await expect(notice).toContainText(
        /in (an hour|\d+ minutes), or reach us at hello@chalkline\.example/,
      );
      for (const [label, value] of Object.entries({ ...fields, Email: address })) {
        await expect(page.getByLabel(label, { exact: true })).toHaveValue(value);
      }
      await expect(page.getByLabel("Subject (optional)", { exact: true })).toHaveValue(
        "pricing-information",
      );
      // axe needs the page's scripts.
      if (javaScriptEnabled) expect(await accessibilityFaults(page)).toEqual([]);
    });

    test("a sign-up past the limit is refused with the address kept, and a notice that is read out", async ({
      page,
      site,
      expectConsole,
    }) => {
      expectConsole(/status of 429/);
      const address = newAddress();
      await useUp(site, "newsletter-signup", { email: address }, signUpsAnHour);
      await open(page, "/newsletter", javaScriptEnabled);
      await emailField(page).fill(address);
      await expectPastLimit(page, subscribe);
      await expect(alertOf(page, "Subscription Failed")).toContainText(
        /Please try again in (an hour|\d+ minutes), or/,
      );
      await expect(emailField(page)).toHaveValue(address);
      await expect(emailField(page)).not.toHaveAttribute("aria-invalid");
      // axe needs the page's scripts.
      if (javaScriptEnabled) expect(await accessibilityFaults(page)).toEqual([]);
    });

    test("a form with the hidden field filled in is answered with success, and held", async ({
      page,
      site,
    }) => {
      const address = newAddress();
      await open(page, "/contact", javaScriptEnabled);
      await fillContact(page, address);
      await fillHoneypot(page);
      await sendWithSuccess(page);
      expect(await heldMessages(site, address)).toMatchObject([{ heldReason: "hidden_field" }]);

      await open(page, "/newsletter", javaScriptEnabled);
      await emailField(page).fill(address);
      await fillHoneypot(page);
      await subscribeWithSuccess(page);
      expect(await heldSignUps(site, address)).toMatchObject([{ held_reason: "hidden_field" }]);
    });
  });
}

test("a message with the hidden field filled in is noted to the firm, and arrives when it is released", async ({
  page,
  site,
}) => {
  const address = newAddress();
  await open(page, "/contact");
  await fillContact(page, address);
  await fillHoneypot(page);
  await sendWithSuccess(page);
  const note = await site.mail(
    ({ subject }) => subject?.startsWith("Held as suspected spam") ?? false,
  );
  expect(note.text).toContain("messages list --held");
  expect(note.text).not.toContain(fields.Message);
  const [{ id }] = await heldMessages(site, address);
  expect(await site.command("messages", "release", String(id))).toBe(`Released: ${id}.\n`);
  const mail = await site.messageFrom(address);
  expect(mail.text).toContain(fields.Message);
});

test.describe("at a program's speed", () => {
  test.use({ visitorTakesTime: false });

  test("a message is delivered with a word in its subject, and a sign-up is taken", async ({
    page,
    site,
  }) => {
    // However slow the machine is that the test runs on.
    await page.addInitScript(() => {
      performance.now = () => 80;
    });
    const address = newAddress();
    await open(page, "/contact");
    await fillContact(page, address);
    await sendWithSuccess(page);
    const mail = await site.messageFrom(address);
    expect(mail.subject).toBe("Contact form (sent at a program's speed), from Dana Reyes");
    expect(await heldMessages(site, address)).toEqual([]);

    await open(page, "/newsletter");
    await emailField(page).fill(address);
    await subscribeWithSuccess(page);
    expect(await heldSignUps(site, address)).toEqual([]);
  });

  test.describe("with scripts off", () => {
    test.use({ javaScriptEnabled: false });

    test("a message says so where the page has only just been made", async ({ page, site }) => {
      const address = newAddress();
      await open(page, "/contact", false);
      await fillContact(page, address);
      await page.locator("input[name=pageMadeAt]").evaluate((field: HTMLInputElement) => {
        field.value = String(Date.now());
      });
      await sendWithSuccess(page);
      const mail = await site.messageFrom(address);
      expect(mail.subject).toContain("(sent at a program's speed)");
    });

    test("who mends a field at once after a long look is no program", async ({
      page,
      site,
      expectConsole,
    }) => {
      expectConsole(/status of 400/);
      const address = newAddress();
      await open(page, "/contact", false);
      await page.locator("input[name=pageMadeAt]").evaluate((field: HTMLInputElement) => {
        field.value = String(Date.now() - 60_000);
      });
      await fillContact(page, "dana@reyes");
      await send(page);
      await expect(page.getByText("Invalid Email", { exact: true })).toBeVisible();
      await page.getByLabel("Email", { exact: true }).fill(address);
      await sendWithSuccess(page);
      const mail = await site.messageFrom(address);
      expect(mail.subject).toBe("Contact form, from Dana Reyes");
    });
  });
});

test.describe("the longest message", () => {
  test.use({ javaScriptEnabled: false });

  test("fits a form that is posted without scripts, in Chinese and with line breaks", async ({
    page,
    site,
  }) => {
    const address = newAddress();
    const message = `${"报价单\n".repeat(2_499)}报价单完`;
    expect(message).toHaveLength(10_000);
    await open(page, "/contact", false);
    await fillContact(page, address);
    // At once, since the browser takes half a minute to put thousands of lines in one by one.
    await page.getByLabel("Message", { exact: true }).evaluate((field, text) => {
      (field as HTMLTextAreaElement).value = text;
    }, message);
    await sendWithSuccess(page);
    const { messages } = JSON.parse(await site.command("messages", "list", "--json"));
    const kept = messages.find(({ email }: { email: string }) => email === address);
    expect(kept.message).toBe(message);
  });
});
