import type { Page } from "@playwright/test";
import { leastOpenForMs } from "#server/api/functions.ts";
import {
  field,
  fillIn,
  leastWritten,
  noticeOf,
  sendButton,
  subject,
  type Written,
  written,
} from "./contact-form.ts";
import { faultsAtWidths } from "./every-page/faults-at-widths.ts";
import { inDatabase } from "./issue-table.ts";
import { newAddress } from "./new-address.ts";
import { untilScriptsAreUp } from "./scripts-are-up.ts";
import type { SiteServer } from "./site-server.ts";
import { expect, holdRequests, test } from "./site-test.ts";

const sending = "**/functions/v1/send-contact-email";
const siteEmail = "hello@chalkline.example";

function mailsFrom(site: SiteServer, address: string) {
  return site.mails().filter((mail) => mail.replyTo?.[0]?.address === address);
}

async function expectValues(page: Page, values: Written) {
  for (const [label, value] of Object.entries(values)) {
    await expect(field(page, label)).toHaveValue(value);
  }
}

/** The sent message is shown in place of the form's words, stamped with the hour in Toronto. */
async function expectReceived(page: Page, address: string) {
  const order = page.getByRole("region", { name: /^Your work order Received / });
  const stamp = order.locator("time");
  await expect(stamp).toHaveText(/^[A-Z][a-z]+ \d{1,2}, \d{4} at \d{1,2}:\d\d\s[AP]M E[SD]T$/);
  const sentAt = Date.parse((await stamp.getAttribute("datetime")) ?? "");
  expect(Math.abs(Date.now() - sentAt)).toBeLessThan(10 * 60_000);
  await expect(order.getByRole("definition")).toHaveText([
    "Dana Reyes",
    address,
    written["Company (optional)"],
    written["Phone (optional)"],
    "Pricing Information",
    written.Message,
  ]);
}

test("a message says which page of the site led to the form, unless the visitor asks not to be tracked", async ({
  page,
  site,
}) => {
  const addresses = [newAddress(), newAddress()];
  for (const address of addresses) {
    await page.goto("/pricing");
    await page.getByRole("banner").getByRole("link", { name: "Contact" }).first().click();
    await expect(page).toHaveURL("/contact");
    await fillIn(page, { ...leastWritten, Email: address });
    await sendButton(page).click();
    await expect(page.getByRole("region", { name: /^Your work order Received / })).toBeVisible();
    await page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, "globalPrivacyControl", { get: () => true }),
    );
  }
  const rows = await inDatabase(site, (db) =>
    db
      .selectFrom("contact_messages")
      .select("from_page")
      .where("email", "in", addresses)
      .orderBy("id")
      .execute(),
  );
  expect(rows).toEqual([{ from_page: "/pricing" }, { from_page: null }]);
});

const nothing: Written = Object.fromEntries(Object.keys(written).map((label) => [label, ""]));

test("a message reaches the firm by mail, to be answered, once", async ({ page, site }) => {
  await page.goto("/contact");
  const address = newAddress();
  await fillIn(page, { ...written, Email: address });
  const posted: unknown[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/send-contact-email")) posted.push(request.postDataJSON());
  });
  const letGo = await holdRequests(page, sending);
  await sendButton(page).dblclick();
  await expect(sendButton(page)).toHaveText("Sending...");
  await expect(sendButton(page)).toHaveAttribute("disabled");
  await field(page, "First Name").press("Enter");
  letGo();
  await expect(noticeOf(page, "Message Sent Successfully!")).toBeVisible();
  await expectValues(page, nothing);
  await expect(subject(page)).toHaveValue("");
  await expect(sendButton(page)).toHaveText("Send Message");
  await expect(sendButton(page)).toBeEnabled();
  expect(posted).toEqual([
    {
      firstName: "Dana",
      lastName: "Reyes",
      email: address,
      company: "Reyes Plumbing & Drain",
      phone: "416 555 0188",
      subject: "pricing-information",
      message: "Quotes take three evenings a week.\nCan you look at it?",
    },
  ]);
  await expectReceived(page, address);
  await expect(page.locator(".received-order")).toBeFocused();
  await page.emulateMedia({ media: "print" });
  await expectReceived(page, address);
  await expect(page.locator(".order-fields")).toBeHidden();

  const mail = await site.messageFrom(address);
  expect(mail.to?.map((recipient) => recipient.address)).toEqual([siteEmail]);
  expect(mail.replyTo).toEqual([{ name: "Dana Reyes", address }]);
  expect(mail.subject).toContain("Pricing Information");
  expect(mail.text).toContain("Quotes take three evenings a week.");
  expect(mail.text).toContain("Reyes Plumbing & Drain");
});

test("the fields keep their words after a failed send", async ({ page, site, expectConsole }) => {
  expectConsole(/net::ERR_FAILED/);
  expectConsole(/The contact message could not be sent/);
  await page.goto("/contact");
  const address = newAddress();
  await fillIn(page, { ...written, Email: address });
  const keys: (string | undefined)[] = [];
  // The first message arrives, and its answer is lost on the way back.
  await page.route(sending, async (route) => {
    keys.push(route.request().headers()["idempotency-key"]);
    const response = await route.fetch();
    if (keys.length === 1) await route.abort();
    else await route.fulfill({ response });
  });
  await sendButton(page).click();
  await expect(noticeOf(page, "Failed to Send Message")).toBeVisible();
  const advice = `Please try again later or contact us directly at ${siteEmail}.`;
  await expect(page.getByText(advice)).toBeVisible();
  await page.getByRole("button", { name: "Close" }).click();
  const unsent = page.getByText("Your message didn’t go out. What you wrote is still here.");
  await expect(unsent).toBeVisible();
  await expectValues(page, { ...written, Email: address });
  await expect(subject(page)).toHaveValue("pricing-information");
  await expect(sendButton(page)).toHaveText("Send Message");

  // A look at another page makes no other message of it.
  await page.locator("#contact-form").getByRole("link").click();
  await expect(page).toHaveURL("/privacy");
  await page.goBack();
  await untilScriptsAreUp(page);
  await expectValues(page, { ...written, Email: address });
  await sendButton(page).click();
  await expect(noticeOf(page, "Message Sent Successfully!")).toBeVisible();
  await expect(noticeOf(page, "Failed to Send Message")).toHaveCount(0);
  await expect(unsent).toHaveCount(0);
  expect(keys[0]).toBeTruthy();
  expect(keys[1]).toBe(keys[0]);

  // A later message with other words goes out under a key of its own, and arrives as the second mail.
  await expect(sendButton(page)).toBeHidden();
  await page.getByRole("link", { name: "Write another message" }).click();
  await expect(field(page, "First Name")).toBeFocused();
  await fillIn(page, { ...written, Email: address, Message: "Something else" });
  await sendButton(page).click();
  await expect.poll(() => mailsFrom(site, address).length).toBe(2);
  expect(keys[2]).not.toBe(keys[0]);
  const texts = mailsFrom(site, address).map((mail) => mail.text ?? "");
  expect(texts.filter((text) => text.includes("Quotes take three evenings"))).toHaveLength(1);
});

test("a missing field is marked until it is filled in, and a notice can be closed", async ({
  page,
}) => {
  await page.goto("/contact");
  await field(page, "First Name").fill("Dana");
  const missing = noticeOf(page, "Missing Information");
  await sendButton(page).click();
  await expect(missing).toBeVisible();

  const lastName = field(page, "Last Name");
  await expect(lastName).toBeFocused();
  await expect(lastName).toHaveAttribute("aria-invalid", "true");
  await expect(lastName).toHaveAccessibleDescription("Enter your last name.");
  await expect(page.locator("[aria-invalid=true]")).toHaveCount(3);
  expect.soft(await faultsAtWidths(page)).toEqual([]);
  await expect(field(page, "Company (optional)")).not.toHaveAttribute("aria-invalid");
  await lastName.fill("Reyes");
  await expect(page.locator("[aria-invalid=true]")).toHaveCount(2);

  await page.getByRole("button", { name: "Close notice" }).click();
  await expect(missing).toHaveCount(0);
  await sendButton(page).click();
  await expect(missing).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(missing).toHaveCount(0);

  // A new try removes the old one, and its notice is seen and lies on no control.
  for (const width of [320, 390, 768, 1440]) {
    await page.setViewportSize({ width, height: 844 });
    for (const [title, fields] of [
      ["Invalid Email", { ...written, Email: "dana@reyes" }],
      ["Missing Information", { Email: written.Email, Message: "" }],
    ] as const) {
      await fillIn(page, fields);
      await sendButton(page).click();
      await expect(noticeOf(page, title)).toBeInViewport();
      await expect(page.locator(".notice")).toHaveCount(1);
      expect.soft(await page.evaluate(coveredByNotice), `${title}, ${width} px`).toEqual([]);
    }
  }
});

function coveredByNotice() {
  const notice = document.querySelector(".notice")?.getBoundingClientRect() ?? new DOMRect();
  return [...document.querySelectorAll("main :is(a, button, input, select)")].flatMap((control) => {
    const { top, right, bottom, left } = control.getBoundingClientRect();
    const isBeside = right <= notice.left || left >= notice.right || control.closest(".notice");
    return isBeside || bottom <= notice.top || top >= notice.bottom ? [] : [control.outerHTML];
  });
}

test.describe("with scripts off", () => {
  test.use({ javaScriptEnabled: false });

  test("fields have limits, and a refresh sends no second message", async ({ page, site }) => {
    const response = await page.goto("/contact");
    // The live regions are there, and empty, before anything is said in them.
    const html = await response?.text();
    expect(html).toMatch(/<div role="alert" aria-live="assertive"[^>]*><\/div>/);
    expect(html).toMatch(/<div role="status" aria-live="polite"[^>]*><\/div>/);
    for (const [label, attributes] of Object.entries({
      "First Name": { maxlength: "100", autocomplete: "given-name" },
      "Last Name": { maxlength: "100", autocomplete: "family-name" },
      Email: { maxlength: "254", autocomplete: "email", type: "email" },
      "Company (optional)": { maxlength: "200", autocomplete: "organization" },
      "Phone (optional)": { maxlength: "50", autocomplete: "tel", type: "tel" },
      Message: { maxlength: "10000" },
    })) {
      for (const [name, value] of Object.entries(attributes)) {
        await expect(field(page, label)).toHaveAttribute(name, value);
      }
    }
    const address = newAddress();
    await fillIn(page, { ...written, Email: address });
    // A faster form would be suspected of being a program's.
    await page.locator("input[name=pageMadeAt]").evaluate((field: HTMLInputElement, ms) => {
      field.value = String(Date.now() - ms);
    }, leastOpenForMs);
    await sendButton(page).click();
    await expect(noticeOf(page, "Message Sent Successfully!")).toBeVisible();
    await expectValues(page, nothing);
    await expectReceived(page, address);
    await expect.poll(() => mailsFrom(site, address).length).toBe(1);
    await page.reload();
    await expect(noticeOf(page, "Message Sent Successfully!")).toBeVisible();

    // A later message arrives as the second mail, so the refresh has not made one.
    await page.getByRole("link", { name: "Write another message" }).click();
    await fillIn(page, { ...written, Email: address, Message: "Something else" });
    await sendButton(page).click();
    await expect.poll(() => mailsFrom(site, address).length).toBe(2);
    expect(mailsFrom(site, address)[1]?.text).toContain("Something else");
  });
});

test("a form that an extension has changed keeps the words typed before the scripts", async ({
  page,
  expectConsole,
}) => {
  expectConsole(/React error #418/);
  const letGo = await holdRequests(page, "**/assets/*.js");
  await page.goto("/contact", { waitUntil: "commit" });
  const look = () =>
    sendButton(page).evaluate((button) => getComputedStyle(button).backgroundColor);
  const before = await look();
  const box = field(page, "Message");
  await box.fill("Half a sentence");
  await page.evaluate(() => {
    for (const label of document.querySelectorAll("#contact-form .field")) {
      label.prepend(document.createElement("span"));
    }
  });
  letGo();
  await untilScriptsAreUp(page);
  await expect(box).toHaveValue("Half a sentence");
  await expect(box).toBeFocused();
  expect(await look()).toBe(before);
});
