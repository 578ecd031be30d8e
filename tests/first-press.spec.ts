import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { fillIn, leastWritten, sendButton } from "./contact-form.ts";
import { missingPageComplaint } from "./every-page/routes.ts";
import { newAddress } from "./new-address.ts";
import { provider, provideWidget } from "./scheduling-provider.ts";
import { untilScriptsAreUp } from "./scripts-are-up.ts";
import { expect, holdRequests, test } from "./site-test.ts";

const ownScripts = /\/assets\/(?:external\/)?[\w.-]+\.js$/;
const held = /\/assets\/entry\.client-[\w-]+\.js/;

/** As a document: nothing has touched the page yet. */
async function openUntouched(page: Page, path: string) {
  await page.goto(path, { waitUntil: "domcontentloaded" });
  await page.waitForLoadState("load");
}

const isAlive = (page: Page) => page.evaluate(() => "alive" in document.documentElement.dataset);
const tab = (page: Page, name: string) => page.getByRole("tab", { name, exact: true });

test("no script runs before a hand, and one is fetched after the page has loaded", async ({
  page,
}) => {
  const asked: string[] = [];
  let hasLoaded = false;
  page.on("load", () => {
    hasLoaded = true;
  });
  page.on("request", (request) => {
    if (ownScripts.test(request.url())) asked.push(`${hasLoaded}`);
  });
  for (const path of ["/", "/use-cases/leads", "/newsletter", "/contact"]) {
    asked.length = 0;
    hasLoaded = false;
    await page.coverage.startJSCoverage();
    await openUntouched(page, path);
    // The page's own and the stand-in for a scheduling provider.
    await expect.poll(() => asked, path).toEqual(["true", "true"]);
    const ran = (await page.coverage.stopJSCoverage())
      .map(({ url }) => url)
      .filter((url) => ownScripts.test(url));
    expect(ran, path).toEqual([]);
    expect(await isAlive(page), path).toBe(false);
    await page.mouse.move(200, 200 + path.length, { steps: 2 });
    await expect.poll(() => isAlive(page), path).toBe(true);
  }
});

// `*`, `:not()` or an attribute inside any `:has()` has Chromium do that; so does a selector with `:has()` that ends in `*`.
test("an element that comes into a page has hardly another's style computed anew", async ({
  page,
  browser,
}) => {
  for (const [path, parent, most] of [
    ["/", "head", 10],
    ["/pricing", "head", 10],
    ["/newsletter", "head", 10],
    ["/", ".hero-drawing", 40],
    ["/use-cases/leads", ".thread", 40],
    ["/pricing", "main section", 40],
  ] as const) {
    await page.goto(path);
    await browser.startTracing(page, { categories: ["devtools.timeline", "blink.user_timing"] });
    await page.evaluate((parent) => {
      document.body.getBoundingClientRect();
      performance.mark("added");
      const name = parent === "head" ? "link" : "p";
      const added = Object.assign(document.createElement(name), { rel: "next", href: "/x" });
      document.querySelector(parent)?.append(added);
      document.body.getBoundingClientRect();
      performance.mark("computed");
    }, parent);
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
    type Traced = { name: string; ts: number; args: { elementCount?: number } };
    const at = (mark: string) => traceEvents.find(({ name }: Traced) => name === mark).ts;
    const computed = traceEvents
      .filter(
        ({ name, ts }: Traced) =>
          ts > at("added") && ts < at("computed") && name === "UpdateLayoutTree",
      )
      .map(({ args }: Traced) => args.elementCount ?? 0);
    expect(Math.max(0, ...computed), `${path} ${parent}`).toBeLessThan(most);
  }
});

test("whoever saves data fetches no script before a hand", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  });
  const asked: string[] = [];
  page.on("request", (request) => {
    if (ownScripts.test(request.url())) asked.push(request.url());
  });
  await page.clock.install();
  await openUntouched(page, "/use-cases");
  await page.clock.runFor(10_000);
  expect(asked).toEqual([]);
  await tab(page, "Real Estate").click();
  await expect(page.getByRole("tabpanel", { name: "Real Estate" })).toBeVisible();
});

test("a keyboard's first key brings the page alive", async ({ page }) => {
  await openUntouched(page, "/use-cases");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the content" })).toBeFocused();
  await expect.poll(() => isAlive(page)).toBe(true);
});

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

test("a message posted before the script, whose answer is lost, arrives once when it is sent again", async ({
  page,
  context,
  site,
}) => {
  await holdRequests(page, held);
  const address = newAddress();
  await page.route("**/contact", async (route) => {
    if (route.request().method() !== "POST") return await route.continue();
    await route.fetch();
    await route.abort();
  });
  await openUntouched(page, "/contact");
  await fillIn(page, { ...leastWritten, Email: address });
  await sendButton(page).click();
  await site.messageFrom(address);
  const again = await context.newPage();
  await again.goto("/contact");
  await untilScriptsAreUp(again);
  await fillIn(again, { ...leastWritten, Email: address });
  await sendButton(again).click();
  await expect(again.locator(".received-order")).toContainText(address);
  const listed = JSON.parse(await site.command("messages", "export", "--json"));
  const emails = listed.map(({ email }: { email: string }) => email);
  expect(emails.filter((email: string) => email === address)).toHaveLength(1);
});

test("a tab pressed before the script is shown pressed at once, and chosen when it comes", async ({
  page,
}) => {
  const letGo = await holdRequests(page, held);
  await openUntouched(page, "/use-cases");
  for (const name of ["Real Estate", "Home Improvement", "Real Estate"]) {
    await tab(page, name).click();
    await expect(tab(page, name)).toHaveAttribute("aria-busy", "true");
  }
  await expect(tab(page, "Trades")).toHaveAttribute("aria-selected", "true");
  letGo();
  await expect(tab(page, "Real Estate")).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("tabpanel")).toHaveCount(1);
  await expect(page.locator("[aria-busy]")).toHaveCount(0);
});

test("a press by a screen reader, which tells the page of no pointer or key, is done", async ({
  page,
}) => {
  await openUntouched(page, "/use-cases");
  await tab(page, "Real Estate").evaluate((element: HTMLElement) => element.click());
  await expect(page.getByRole("tabpanel", { name: "Real Estate" })).toBeVisible();
  await expect(tab(page, "Real Estate")).not.toHaveAttribute("aria-busy");
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

test("numbers typed before the script are added up when it comes", async ({ page }) => {
  const letGo = await holdRequests(page, held);
  await openUntouched(page, "/use-cases/leads");
  const calls = page.getByRole("textbox", { name: "Missed calls: calls a week" });
  await calls.fill("14");
  await expect(page.locator(".worksheet output")).toHaveText("$1,100");
  letGo();
  await expect(page.locator(".worksheet output")).toHaveText("$1,420");
  await expect(calls).toHaveValue("14");
  await expect(calls).toBeFocused();
});

test("Back pressed before the script goes back when it comes", async ({ page }) => {
  await openUntouched(page, "/pricing");
  const letGo = await holdRequests(page, held);
  await page.getByRole("contentinfo").getByRole("link", { name: "Privacy Policy" }).click();
  await expect(page).toHaveURL("/privacy");
  await page.getByRole("button", { name: "Back" }).click();
  letGo();
  await expect(page).toHaveURL("/pricing");
});

test.describe("with a scheduling provider", () => {
  test.use({ siteSettings: provider });

  test("a booking pressed twice before the script and the widget is opened once", async ({
    page,
  }) => {
    const letGo = await holdRequests(page, held);
    const { promise, resolve } = Promise.withResolvers<void>();
    await provideWidget(page, () => promise);
    await openUntouched(page, "/pricing");
    const opened = () =>
      page.evaluate(() => (window as unknown as { opened?: unknown[] }).opened?.length);
    const button = page.locator("main").getByRole("button").first();
    await button.click();
    await button.click();
    letGo();
    await expect.poll(() => isAlive(page)).toBe(true);
    expect(await opened()).toBeUndefined();
    resolve();
    await expect.poll(opened).toBe(1);
    await button.click();
    await expect.poll(opened).toBe(2);
  });

  test("its widget comes without a hand, once the page has loaded", async ({ page }) => {
    await provideWidget(page);
    await openUntouched(page, "/pricing");
    await page.waitForFunction(() => "opened" in window);
    expect(await isAlive(page)).toBe(false);
  });
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
  await page.getByRole("textbox", { name: "Missed calls: calls a week" }).fill("14");
  await page.getByRole("button", { name: "Add it up" }).click();
  await expect(page.locator(".worksheet output")).toHaveText("$1,420");
  await openUntouched(page, "/terms");
  await page.getByRole("button", { name: "Back" }).click();
  await expect(page).toHaveURL(/\/\??$/);
  await openUntouched(page, "/use-cases");
  await tab(page, "Real Estate").click();
  await expect(tab(page, "Real Estate")).not.toHaveAttribute("aria-busy");
  await page.unroute(held);
  await page.reload({ waitUntil: "load" });
  await tab(page, "Real Estate").click();
  await expect(page.getByRole("tabpanel", { name: "Real Estate" })).toBeVisible();
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

test("a missing page tells the console before any hand", async ({ page, expectConsole }) => {
  expectConsole(missingPageComplaint);
  const logged = page.waitForEvent("console", (message) => message.text().includes("404: no page"));
  await openUntouched(page, "/no-such-page");
  expect((await logged).text()).toContain("/no-such-page");
});

for (const [what, options] of [
  ["followed", {}],
  ["opened in a tab by the middle button", { button: "middle" }],
  ["opened in a tab with Ctrl", { modifiers: ["ControlOrMeta"] }],
] as const) {
  test(`a page fetched ahead and ${what} comes from the browser's cache`, async ({
    page,
    context,
  }) => {
    const link = page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "About" });
    for (;;) {
      await page.mouse.move(0, 0);
      await page.goto("/");
      const fetched = page.waitForResponse(/\/about$/);
      const beganAt = Date.now();
      await link.hover();
      await (await fetched).finished();
      const opened = what === "followed" ? page : context.waitForEvent("page");
      await link.click(options as object);
      const about = await opened;
      await expect(about).toHaveURL("/about");
      await about.waitForLoadState();
      const { bytes, at } = await about.evaluate(() => {
        const [entry] = performance.getEntriesByType("navigation");
        const bytes = (entry as PerformanceNavigationTiming).transferSize;
        return { bytes, at: performance.timeOrigin };
      });
      // It is kept for ten seconds, by a clock of whole seconds: pressed later, it may be asked for again.
      if (at - beganAt > 8_000) continue;
      expect(bytes).toBe(0);
      break;
    }
  });
}

test("a page that a cache on the way doesn't let the browser keep is fetched ahead once", async ({
  page,
}) => {
  // It is fetched again after ten seconds.
  await page.clock.setFixedTime(Date.now());
  let fetches = 0;
  await page.route("**/about", async (route) => {
    if (route.request().isNavigationRequest()) return await route.continue();
    fetches += 1;
    await route.fulfill({ headers: { "Cache-Control": "public, max-age=0" }, body: "About" });
  });
  await page.goto("/");
  await untilScriptsAreUp(page);
  const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "About" });
  const answered = page.waitForEvent("requestfinished", (request) =>
    /\/about$/.test(request.url()),
  );
  await link.hover();
  await answered;
  await link.focus();
  await link.click();
  await expect(page).toHaveURL("/about");
  expect(fetches).toBe(1);
});
