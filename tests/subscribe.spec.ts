import type { Page } from "@playwright/test";
import { consentText } from "#content/subscribe-form.ts";
import { noticeOf } from "./contact-form.ts";
import { faultsAtWidths } from "./every-page/faults-at-widths.ts";
import { newAddress } from "./new-address.ts";
import { expect, holdRequests, test } from "./site-test.ts";

const firm = {
  siteName: "Chalkline",
  email: "hello@chalkline.example",
  phone: "+1 416 555 0143",
  street: "1 Test Street",
  postalCode: "M5V 2T6",
};

test.use({ reducedMotion: "no-preference" });

const signingUp = "**/functions/v1/newsletter-signup";

const emailField = (page: Page) =>
  page.locator("#subscribe").getByLabel("Email address", { exact: true });

async function expectInvalid(page: Page, words: string) {
  await expect(emailField(page)).toHaveAttribute("aria-invalid", "true");
  await expect(emailField(page)).toHaveAccessibleDescription(`${words} ${consentText(firm)}`);
}

/** The browser accepts an address without a dot; the server doesn't. */
async function expectRefusal(page: Page) {
  await emailField(page).fill("dana@reyes");
  await button(page).click();
  await expect(noticeOf(page, "Subscription Issue")).toBeVisible();
  await expect(emailField(page)).toHaveValue("dana@reyes");
  await expect(emailField(page)).toBeFocused();
  await expectInvalid(page, "Enter the full address, like name@company.ca.");
}

const button = (page: Page) => page.locator("#subscribe button[type=submit]");

test("a new address is subscribed; one that is known stays", async ({ page, site }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/newsletter");
  await expect(
    page.locator("#subscribe").getByText(consentText(firm), { exact: true }),
  ).toBeVisible();
  await expect(emailField(page)).toHaveAccessibleDescription(consentText(firm));
  const address = newAddress();
  await emailField(page).fill(address);
  const posted = page.waitForRequest(signingUp);
  const letGo = await holdRequests(page, signingUp);
  await button(page).click();
  await expect(button(page)).toHaveText("Subscribing...");
  await expect(button(page)).toHaveAttribute("disabled");
  await expect(emailField(page)).toHaveAttribute("disabled");
  letGo();
  expect((await posted).postDataJSON()).toEqual({ email: address, webhookUrl: "" });
  await expect(noticeOf(page, "Successfully Subscribed!")).toBeVisible();
  await expect(emailField(page)).toHaveValue("");
  await expect(emailField(page)).toBeEnabled();
  await expect(button(page)).toHaveText("Subscribe");
  await site.mailTo(address);

  // The next step is visible beside the notice, and stays when that is gone.
  const stamp = page.locator("#subscribe .sign-up-stamp");
  await expect(stamp).toBeInViewport({ ratio: 1 });
  await page.locator(".notice").getByRole("button").click();
  await expect(stamp).toContainText("Received");
  await expect(stamp).toContainText(address);
  await expect(stamp).toContainText(`Now open our confirmation email to ${address}`);

  await emailField(page).fill(address);
  await emailField(page).press("Enter");
  await expect(noticeOf(page, "Already Subscribed")).toBeVisible();
  await expect(emailField(page)).toHaveValue(address);
});

test("an empty field and a malformed address are answered", async ({ page }) => {
  await page.goto("/newsletter");
  let calls = 0;
  await page.route(signingUp, (route) => {
    calls += 1;
    return route.continue();
  });
  await button(page).click();
  await expect(noticeOf(page, "Missing Information")).toBeVisible();
  await expect(emailField(page)).toBeFocused();
  await expectInvalid(page, "Enter the address the newsletter should go to.");
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await faultsAtWidths(page, ["#subscribe", ".notice-board"])).toEqual([]);

  await emailField(page).fill("dana");
  await expect(emailField(page)).not.toHaveAttribute("aria-invalid");
  await button(page).click();
  await expectInvalid(page, "Enter the full address, like name@company.ca.");
  await expect(page.locator("#subscribe-error")).toBeInViewport({ ratio: 1 });
  await expect(emailField(page)).toBeFocused();
  await expect(emailField(page)).toHaveValue("dana");
  await expect(button(page)).toHaveText("Subscribe");
  expect(calls).toBe(0);
  await expectRefusal(page);
});

test.describe("with scripts off", () => {
  test.use({ javaScriptEnabled: false });

  test("any form's sign-up is answered at the archive", async ({ page, site, expectConsole }) => {
    expectConsole(/status of 400/);
    await page.goto("/newsletter/1");
    const address = newAddress();
    const form = page.locator("#subscribe");
    await form.getByRole("textbox").fill(address);
    await form.getByRole("button").click();
    await expect(page).toHaveURL(`${site.url}/newsletter`);
    await expect(page.locator("form").getByText("Successfully Subscribed!")).toHaveCount(1);
    await expect(form.getByText("Successfully Subscribed!")).toBeInViewport();
    await expect(form.locator(".sign-up-stamp")).toContainText(address);
    await expect(form.getByRole("textbox")).toHaveValue("");
    await site.mailTo(address);
    await page.goto("/newsletter");
    await expectRefusal(page);
  });
});
