import { accessibilityFaults } from "./every-page/axe.ts";
import { expect, test } from "./site-test.ts";

test("home's telephone shows a missed call in the visitor's own name, and sends nothing", async ({
  page,
}) => {
  const sent: string[] = [];
  page.on("request", (request) => sent.push(request.url() + (request.postData() ?? "")));
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/");
  const drawing = page.getByRole("figure").first();
  await expect(drawing.getByRole("img", { name: "Lead intake" })).toBeVisible();
  await drawing.getByRole("button", { name: "Try it: miss a call" }).press("Enter");
  await expect(drawing.getByRole("textbox", { name: "Your firm" })).toBeFocused();
  await expect(drawing.getByRole("img", { name: "Lead intake" })).toBeHidden();
  await page.keyboard.type("Ortega Realty");
  await drawing.getByRole("combobox", { name: "Your trade" }).selectOption("Real Estate");
  await drawing.getByRole("button", { name: "Missed call" }).press("Enter");
  const log = drawing.getByRole("log");
  await expect(log).toContainText("I’m at a showing. This is Ortega Realty.");
  await expect(drawing.getByRole("button", { name: "We want to make an offer" })).toBeFocused();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press("Enter");
  await expect(log).toContainText("Do you have an agent already?");
  await page.keyboard.press("Enter");
  await expect(log).toContainText("Ortega Realty is calling you now.");
  await expect(drawing).toContainText("What can’t wait rings your phone.");
  await expect(
    drawing.getByRole("button", { name: "Copy this text for your own phone" }),
  ).toBeFocused();
  await drawing.getByRole("button", { name: "Miss another call" }).click();
  await expect(drawing.getByRole("textbox", { name: "Your firm" })).toHaveValue("Ortega Realty");
  await drawing.getByRole("button", { name: "Missed call" }).click();
  await drawing.getByRole("button", { name: "Can we see the semi" }).click();
  await drawing.getByRole("button", { name: "Friday at 5" }).click();
  await expect(log).toContainText("Booked: Friday at 5.");
  expect(sent.filter((request) => /Ortega/.test(decodeURIComponent(request)))).toEqual([]);
});

test("what a use case has to work by hand answers its visitor", async ({ page }) => {
  const sum = page.locator(".object output");
  await page.goto("/use-cases/leads");
  const phone = page.getByRole("log", { name: "The text messages" });
  await expect(phone).toContainText("This is Example Plumbing.");
  await page.getByRole("textbox", { name: "Your firm" }).fill("Ortega Plumbing");
  await page.getByRole("button", { name: "Missed call" }).click();
  await expect(phone).toContainText("This is Ortega Plumbing.");

  await page.goto("/use-cases/email-management");
  await page.getByRole("textbox", { name: "A message of your own" }).fill("Our boiler: no heat");
  await page.getByRole("button", { name: "Sort it" }).click();
  await expect(page.getByRole("log")).toContainText("Filed under Now. Water, heat, gas or smoke");

  await page.goto("/use-cases/client-management");
  await page.getByRole("textbox", { name: "Unsigned extras" }).fill("1,200");
  await expect(sum).toHaveText("$200 over: get it signed first");

  await page.goto("/use-cases/business-operations");
  await page.getByRole("slider", { name: "Days from closing the job" }).press("ArrowRight");
  await expect(sum).toHaveText("Billed 17 days late: due on day 45 instead of day 28.");

  await page.goto("/use-cases/content-creation");
  const drafted = page.locator(".drafted").first();
  await expect(drafted).toBeHidden();
  await page.getByRole("radio", { name: "12, from drafts" }).check();
  await expect(drafted).toBeVisible();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the objects are drawings and forms that make sense", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("button", { name: "Try it: miss a call" })).toBeHidden();
    await page.goto("/use-cases/leads");
    await expect(page.getByRole("log")).toContainText("This is Example Plumbing.");
    await expect(page.getByRole("button", { name: "Missed call" })).toBeHidden();
    await page.goto("/use-cases/email-management");
    await page.getByText("The ceiling in 904 leaks again").click();
    await expect(page.getByText("Water, heat, gas or smoke")).toBeVisible();
    await page.goto("/use-cases/client-management");
    await expect(page.locator(".object output")).toHaveText("$250 left under the ten per cent");
    await expect(page.getByRole("textbox", { name: "Unsigned extras" })).toBeHidden();
  });
});
