import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { fillIn, leastWritten, sendButton } from "./contact-form.ts";
import { newAddress } from "./new-address.ts";
import { untilScriptsAreUp } from "./scripts-are-up.ts";
import { expect, holdRequests, test } from "./site-test.ts";

const held = /\/assets\/entry\.client-[\w-]+\.js/;

/** As a document: nothing has touched the page yet. */
async function openUntouched(page: Page, path: string) {
  await page.goto(path, { waitUntil: "domcontentloaded" });
  await page.waitForLoadState("load");
}

const isAlive = (page: Page) => page.evaluate(() => "alive" in document.documentElement.dataset);
const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true });

test("links and forms pressed before the script go where the document says", async ({
  page,
  site,
}) => {
  const letGo = await holdRequests(page, held);
  await openUntouched(page, "/");
  await page.getByRole("contentinfo").getByRole("link", { name: "Contact", exact: true }).click();
  await expect(page).toHaveURL("/contact");
  const address = newAddress();
  await fillIn(page, { ...leastWritten, Email: address });
  await sendButton(page).click();
  await expect(page.locator(".received-order")).toContainText(address);
  await site.messageFrom(address);
  letGo();
});

test("a tab is chosen before the script comes, and stays so", async ({ page }) => {
  const letGo = await holdRequests(page, held);
  await openUntouched(page, "/use-cases");
  for (const name of ["Real Estate", "Home Improvement"]) {
    await tab(page, name).click();
    await expect(page.getByRole("tabpanel", { name })).toBeVisible();
  }
  await page.keyboard.press("ArrowLeft");
  letGo();
  await expect.poll(() => isAlive(page)).toBe(true);
  await expect(tab(page, "Real Estate")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("tabpanel")).toHaveCount(1);
});

test("a press by a screen reader, which tells the page of no pointer or key, is done", async ({
  page,
}) => {
  await openUntouched(page, "/terms");
  const back = page.getByRole("button", { name: "Back" });
  await back.evaluate((element: HTMLElement) => element.click());
  await expect(page).toHaveURL(/\/\??$/);
});

test("a form that the browser has filled in untold keeps its words, and is sent", async ({
  page,
  site,
}) => {
  await openUntouched(page, "/contact");
  const address = newAddress();
  const filled = { firstName: "Dana", lastName: "Reyes", email: address, message: "Call me." };
  await page.evaluate((values) => {
    for (const [name, value] of Object.entries(values))
      (document.getElementById(name) as HTMLInputElement).value = value;
  }, filled);
  await untilScriptsAreUp(page);
  for (const [name, value] of Object.entries(filled))
    await expect(page.locator(`#${name}`)).toHaveValue(value);
  await sendButton(page).click();
  await expect(page.locator(".received-order")).toContainText(address);
  await site.messageFrom(address);
});

test("where the script is refused, the page does what it does without scripts, until it comes", async ({
  page,
  expectConsole,
}) => {
  expectConsole(/ERR_FAILED/);
  await page.route(held, (route) => route.abort());
  await openUntouched(page, "/use-cases/leads");
  await page.locator(".worksheet").scrollIntoViewIfNeeded();
  await page.mouse.move(100, 100);
  await page.getByRole("textbox", { name: "calls a week" }).fill("14");
  await page.getByRole("button", { name: "Talk this number over" }).click();
  await expect(page.getByLabel("Message")).toHaveValue(/about \$53,760 a year/);
  await openUntouched(page, "/terms");
  await page.getByRole("button", { name: "Back" }).click();
  await expect(page).toHaveURL(/\/\??$/);
  await openUntouched(page, "/use-cases");
  await tab(page, "Real Estate").click();
  await expect(page.getByRole("tabpanel", { name: "Real Estate" })).toBeVisible();
  await page.unroute(held);
  await page.reload({ waitUntil: "load" });
  await tab(page, "Real Estate").click();
  await expect.poll(() => isAlive(page)).toBe(true);
});

/** Leads to the site, and holds back the end of each page until it is let go. */
async function startSlowLine(site: { url: string }) {
  const { promise: whole, resolve: letGo } = Promise.withResolvers<void>();
  const line = createServer(async ({ url = "/" }, response) => {
    const answer = await fetch(site.url + url, { headers: { "Accept-Encoding": "identity" } });
    const type = answer.headers.get("Content-Type") ?? "";
    const body = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, { "Content-Type": type });
    const end = type.startsWith("text/html") ? body.indexOf("</main>") : body.length;
    response.write(body.subarray(0, end));
    if (end < body.length) await whole;
    response.end(body.subarray(end));
  }).listen(0, "127.0.0.1");
  await once(line, "listening");
  const { port } = line.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, letGo, stop: () => line.closeAllConnections() };
}

test("a page whose script came only at the third try is alive then, without a press", async ({
  page,
  expectConsole,
}) => {
  expectConsole(/ERR_FAILED/);
  let tries = 0;
  await page.route(held, (route) => {
    tries += 1;
    return tries < 3 ? route.abort() : route.continue();
  });
  await openUntouched(page, "/use-cases");
  await expect(async () => {
    await page.keyboard.press("Tab");
    expect(await isAlive(page)).toBe(true);
  }).toPass();
  expect(tries).toBeGreaterThan(2);
});

test("a page touched while its end is still on its way comes alive once it is whole", async ({
  page,
  site,
}) => {
  const line = await startSlowLine(site);
  try {
    await page.goto(`${line.url}/use-cases`, { waitUntil: "commit" });
    await page.locator("h1").waitFor();
    for (let place = 100; place < 200; place += 10) await page.mouse.move(place, place);
    await page.keyboard.press("Tab");
    expect(await isAlive(page)).toBe(false);
    line.letGo();
    await expect.poll(() => isAlive(page)).toBe(true);
    await tab(page, "Real Estate").click();
    await expect(page.getByRole("tabpanel", { name: "Real Estate" })).toBeVisible();
  } finally {
    line.stop();
  }
});
