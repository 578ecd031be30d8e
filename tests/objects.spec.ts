import { accessibilityFaults } from "./every-page/axe.ts";
import { expect, holdRequests, test } from "./site-test.ts";

test("home's exchange plays at one press, whatever script is still on its way, and its text is named and copied", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const letGo = await holdRequests(page, /\/assets\/entry\.client-[\w-]+\.js/);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/", { waitUntil: "domcontentloaded" });
  const figure = page.getByRole("figure").first();
  const messages = figure.getByRole("log").getByRole("listitem");
  const height = () => page.evaluate(() => document.body.scrollHeight);
  await expect(figure.getByRole("img", { name: "Lead intake" })).toBeVisible();
  await expect(figure.getByRole("log")).toHaveCount(1);
  await expect(messages).toHaveCount(0);
  // Late letters make another height.
  await page.waitForFunction(() => document.fonts.status === "loaded");
  const before = await height();
  const press = figure.getByRole("button", { name: "Miss a call" });
  await press.evaluate((button) => button.scrollIntoView({ block: "start" }));
  await press.click();
  await expect(figure.getByRole("img", { name: "Lead intake" })).toBeHidden();
  await expect(messages.first()).toContainText("This is Your firm.");
  await expect(messages.last()).toContainText("Booked.");
  for (const message of await messages.all()) await expect(message).toBeInViewport({ ratio: 1 });
  expect(await height()).toBe(before);
  letGo();
  await figure.getByRole("textbox", { name: "Your firm" }).fill("Ortega Realty");
  await expect(messages.first()).toContainText("This is Ortega Realty.");
  await figure.getByRole("button", { name: "Copy the text" }).click();
  await expect(figure.getByRole("status")).toHaveText("Copied.");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
    /^Sorry I missed you, .* This is Ortega Realty\. What do you need\?$/,
  );
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("a sum takes the visitor's numbers, and brings itself to the contact form", async ({
  page,
}) => {
  await page.goto("/use-cases/leads");
  const calls = page.getByRole("textbox", { name: "calls a week" });
  const sum = page.getByRole("status").filter({ hasText: /\$|–/ });
  await expect(sum).toHaveText("$38,400");
  await calls.fill("many");
  await expect(calls).toHaveAttribute("aria-invalid", "true");
  await expect(calls).toHaveAccessibleDescription("Write a number.");
  await expect(sum).toHaveText("–");
  await calls.focus();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("14");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.type("$650");
  await expect(sum).toHaveText("$87,360");
  await page.getByRole("button", { name: "Talk this number over" }).click();
  await expect(page.getByLabel("Message")).toHaveValue(
    "Missed calls cost us about $87,360 a year. Can we talk about that?",
  );
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the exchange is shown, messages say where they go, and sums reach the contact form", async ({
    page,
  }) => {
    await page.goto("/");
    await expect(page.getByRole("button", { name: "Miss a call" })).toBeHidden();
    await page.goto("/use-cases/leads");
    await expect(page.getByRole("log")).toContainText("This is Your firm.");
    await page.goto("/use-cases/email-management");
    await page.getByText("Invoice 2207").click();
    await expect(page.getByText("nothing is paid from there without you")).toBeVisible();
    for (const [path, field, message] of [
      ["leads", "calls a week", "Missed calls cost us about $38,400 a year."],
      ["client-management", "extras a job", "nobody signed for cost us about $14,000 a year."],
      ["business-operations", "people", "Typing the same numbers again cost"],
    ] as const) {
      await page.goto(`/use-cases/${path}`);
      await expect(page.getByRole("textbox", { name: field })).toBeVisible();
      await page.getByRole("button", { name: "Talk this number over" }).click();
      expect(await page.getByLabel("Message").inputValue()).toContain(message);
    }
  });
});
