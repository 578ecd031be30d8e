import type { Page, Request } from "@playwright/test";
import { fillIn, leastWritten, noticeOf, sendButton } from "./contact-form.ts";
import { accessibilityFaults } from "./every-page/axe.ts";
import { watchLayoutShifts } from "./every-page/layout-shifts.ts";
import { untilScriptsAreUp } from "./scripts-are-up.ts";
import { expect, test } from "./site-test.ts";

const tab = (page: Page) => page.locator(".week-tab");
const sheet = (page: Page) => page.getByRole("region", { name: "Your week, today" });
const take = (page: Page) => page.getByRole("link", { name: "Take it to the call" });
const line = (page: Page, label: string) => page.getByRole("listitem").filter({ hasText: label });

/** 14 calls, one in five hired, $650: $1,820; and 5 hours at $60. 50 weeks of $2,120 are $106,000. */
async function writeThreeSums(page: Page) {
  await page.goto("/use-cases/leads");
  await page.getByRole("textbox", { name: "Missed calls: calls a week" }).fill("14");
  await page.getByRole("textbox", { name: "Missed calls: dollars a job" }).fill("$650");
  // 60 emails of 40 seconds over 230 days at $60: $9,200 and 153 hours; and $4,800 of late answers.
  await page.goto("/use-cases/email-management");
  await page.getByRole("textbox", { name: "Reading and deciding: emails a day" }).fill("60");
  // 60 minutes on 21 days at $36: $756 and 21 hours; and $720 of old prices. Twelve months of $1,476.
  await page.goto("/use-cases/specialized-agents");
  await page.getByRole("textbox", { name: "Small daily jobs: minutes a day" }).fill("60");
}

/** $106,000 + $14,000 + $17,712 a year; 5 + 3.07 + 5.04 hours a week. */
const threeSums = "$137,712 a year, 13 h a week";

/** What goes out with a visitor's numbers in it, in an address or a body. */
function watchNumbers(page: Page): Request[] {
  const seen: Request[] = [];
  page.on("request", (request) => {
    // Without the test server's own port, which may hold one of them.
    const { pathname, search } = new URL(request.url());
    const sent = decodeURIComponent(pathname + search) + (request.postData() ?? "");
    if (/\b650\b|137,?712|106,?000|Ortega/.test(sent)) seen.push(request);
  });
  return seen;
}

test("sums of three pages add up on one sheet, which becomes the message of a call", async ({
  page,
}) => {
  const sent = watchNumbers(page);
  await page.goto("/use-cases/leads");
  await expect(tab(page).getByRole("link")).toHaveCount(0);
  await writeThreeSums(page);
  await page.keyboard.press("Tab");
  await expect(tab(page).getByRole("status")).toHaveText(`3 lines, ${threeSums}`);
  await page.goto("/");
  await expect(line(page, "Missed calls")).toContainText("$106,000 a year, 5 h a week");
  await expect(line(page, "Posting job photos")).toContainText("write yours");
  await tab(page)
    .getByRole("link", { name: `3 lines, ${threeSums}` })
    .click();

  await expect(page).toHaveURL("/your-week");
  await untilScriptsAreUp(page);
  await expect(sheet(page)).toContainText("14 a week × 1 in 5 hired × $650");
  await expect(sheet(page)).toContainText("$2,120 a week × 50");
  await expect(sheet(page)).toContainText("$1,476 a month × 12");
  await expect(sheet(page)).toContainText("3 of 7 lines");
  await expect(sheet(page)).toContainText(threeSums);
  await page.getByRole("textbox", { name: "Firm" }).fill("Ortega Plumbing");
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Firm" })).toHaveValue("Ortega Plumbing");
  await expect(sheet(page)).toContainText(threeSums);
  expect(await accessibilityFaults(page)).toEqual([]);

  await take(page).click();
  await page.waitForURL("/contact#contact-form");
  await untilScriptsAreUp(page);
  const message = page.getByLabel("Message");
  await expect(message).toHaveValue(
    /^Ortega Plumbing, a week today:\n\n- Missed calls: \$106,000 a year, 5 h a week \(Missed calls: 14 a week/,
  );
  await expect(message).toHaveValue(new RegExp(`Together: \\${threeSums}\\.`));
  expect(sent.map((request) => request.url())).toEqual([]);

  // Taken again, it stands in place of what was brought before; what the visitor adds is sent as it reads.
  await page.goto("/your-week");
  await page.getByRole("textbox", { name: "Firm" }).fill("Ortega & Son");
  await take(page).click();
  await page.waitForURL("/contact#contact-form");
  await untilScriptsAreUp(page);
  await expect(message).toHaveValue(/^Ortega & Son, a week today:/);
  await expect(message).not.toHaveValue(/Plumbing/);
  const { Message: _, ...person } = leastWritten;
  await fillIn(page, person);
  await message.fill(`${await message.inputValue()} Mornings are best.`);
  await sendButton(page).click();
  await expect(noticeOf(page, "Message Sent Successfully!")).toBeVisible();
  expect(sent).toHaveLength(1);
  expect(sent[0]?.postData()).toContain("Mornings are best.");
});

test("nothing but the next page is asked for while sums and a firm's name are written", async ({
  page,
}) => {
  const asked: string[] = [];
  /** A page that a link is about to open is fetched ahead, by its bare address. */
  const isPageAhead = (request: Request) =>
    request.method() === "GET" && /^https?:\/\/[^?#]+\/(?:contact|your-week)$/.test(request.url());
  for (const [path, field] of [
    ["/use-cases/leads", "Missed calls: dollars a job"],
    ["/your-week", "Firm"],
  ] as const) {
    await page.goto(path);
    await untilScriptsAreUp(page);
    await page.waitForLoadState("networkidle");
    const note = (request: Request) => {
      if (!isPageAhead(request)) asked.push(`${request.method()} ${request.url()}`);
    };
    page.on("request", note);
    await page.getByRole("textbox", { name: field }).fill("650");
    await page.keyboard.press("Tab");
    await expect(page.locator(".week-tab, .week .entry").first()).toContainText("$80,000 a year");
    await page.getByRole("link", { name: /^(?:Talk this number over|Take it)/ }).hover();
    await page.waitForLoadState("networkidle");
    page.off("request", note);
  }
  expect(asked).toEqual([]);
});

test("a worksheet has the visitor's numbers again, and its example back takes the line off", async ({
  page,
}) => {
  await page.goto("/use-cases/leads");
  const dollars = page.getByRole("textbox", { name: "Missed calls: dollars a job" });
  await dollars.fill("$650");
  await page.goto("/pricing");
  await expect(tab(page).getByRole("link")).toHaveText("1 line, $80,000 a year, 5 h a week");
  await page.goto("/use-cases/leads");
  await expect(dollars).toHaveValue("$650");
  await expect(page.locator(".worksheet output")).toHaveText("$1,600");
  // While a number is being written, the last one stands.
  await dollars.fill("");
  await expect(tab(page).getByRole("link")).toBeVisible();
  await dollars.fill("400");
  await expect(tab(page).getByRole("link")).toHaveCount(0);
});

test("the sheet is cleared, put back, and empty in a tab of its own", async ({ page, context }) => {
  await writeThreeSums(page);
  const other = await context.newPage();
  await other.goto("/your-week");
  await untilScriptsAreUp(other);
  await expect(sheet(other)).toContainText("0 of 7 lines");
  await expect(take(other)).toHaveCount(0);

  await page.goto("/your-week");
  await page.getByRole("button", { name: "Clear" }).click();
  await expect(sheet(page)).toContainText("0 of 7 lines");
  await expect(page.getByRole("button", { name: "Put it back" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(sheet(page)).toContainText(threeSums);
  await page.getByRole("button", { name: "Clear" }).click();
  await page.goto("/");
  await expect(line(page, "Missed calls")).toContainText("write yours");
  await expect(tab(page).getByRole("link")).toHaveCount(0);
});

test("lines written on an earlier page show before a visitor's hand, and nothing moves", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/use-cases/leads");
  await page.getByRole("textbox", { name: "Missed calls: dollars a job" }).fill("650");
  const readShifts = await watchLayoutShifts(page);
  await page.goto("/your-week", { waitUntil: "commit" });
  await expect(sheet(page)).toBeVisible();
  await expect(sheet(page)).toContainText("$80,000 a year");
  expect(await readShifts()).toEqual([]);
});

test("the sheet shows all of a firm's long name on a phone", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/your-week");
  const field = page.getByRole("textbox", { name: "Firm" });
  await field.fill("Ortega Plumbing and Heating Ltd.");
  const [written, shown] = await field.evaluate((it) => [it.scrollWidth, it.clientWidth]);
  expect(written).toBe(shown);
});

test("where the browser refuses to keep anything, a page adds up by itself", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "sessionStorage", {
      get() {
        throw new DOMException("Refused.", "SecurityError");
      },
    });
  });
  await page.goto("/use-cases/leads");
  await page.getByRole("textbox", { name: "Missed calls: dollars a job" }).fill("650");
  await expect(page.locator(".worksheet output")).toHaveText("$1,600");
  await expect(tab(page).getByRole("link")).toHaveText("1 line, $80,000 a year, 5 h a week");
  await page.goto("/your-week");
  await expect(page.getByText("This browser keeps nothing between pages")).toBeVisible();
  await expect(sheet(page)).toContainText("0 of 7 lines");
});

test("the sheet is printed on one page, without its buttons and its unwritten lines", async ({
  page,
}) => {
  await writeThreeSums(page);
  await page.goto("/your-week");
  await expect(sheet(page)).toContainText(threeSums);
  await page.emulateMedia({ media: "print" });
  await expect(sheet(page)).toHaveCSS("break-inside", "avoid");
  await expect(sheet(page).getByText("14 a week × 1 in 5 hired × $650")).toBeVisible();
  await expect(sheet(page).getByText("Posting job photos")).toBeHidden();
  await expect(take(page)).toBeHidden();
  await expect(tab(page)).toBeHidden();

  await page.emulateMedia({ media: null });
  for (const id of [
    "content-creation",
    "social-media",
    "client-management",
    "business-operations",
  ]) {
    await page.goto(`/use-cases/${id}`);
    await page.locator(".worksheet").getByRole("textbox").first().fill("31");
  }
  await page.goto("/your-week");
  await expect(sheet(page)).toContainText("7 of 7 lines");
  const pdf = (await page.pdf({ format: "Letter" })).toString("latin1");
  expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a worksheet is a form that its page answers, kept by no cache", async ({
    page,
    request,
  }) => {
    await page.goto("/use-cases/leads");
    await page.getByRole("textbox", { name: "Missed calls: calls a week" }).fill("14");
    await page.getByRole("textbox", { name: "Missed calls: dollars a job" }).fill("$650");
    await page.getByRole("button", { name: "Add it up" }).click();
    await expect(page).toHaveURL(/\/use-cases\/leads\?n=14&.*add=1#worksheet$/);
    await expect(page.locator(".worksheet output")).toHaveText("$2,120");
    await expect(page.locator("s")).toHaveText(["10 a week × 1 in 5 hired × $400"]);
    await page.getByRole("textbox", { name: "Missed calls: calls a week" }).fill("many");
    await page.getByRole("button", { name: "Add it up" }).click();
    await expect(page.locator(".worksheet output")).toHaveText("–");
    await expect(page.getByText("Write a number.")).toBeVisible();
    // What nobody pressed is the page that everybody gets.
    const plain = await (await request.get("/use-cases/leads")).text();
    expect(await (await request.get("/use-cases/leads?n=1&n=2")).text()).toBe(plain);
    const own = await request.get(page.url());
    expect(own.headers().etag).toBeUndefined();
  });

  test("the sheet says where sums are written", async ({ page }) => {
    await page.goto("/your-week");
    await expect(page.getByText("Without scripts nothing can be kept here")).toBeVisible();
    const links = page.getByRole("region", { name: "Your week, today" }).getByRole("link");
    await expect(links).toHaveCount(7);
  });
});
