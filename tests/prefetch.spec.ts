import type { Page } from "@playwright/test";
import { expect, test } from "./site-test.ts";

/** Pages whose every part comes from the build, from the database, and from another page's group of scripts. */
const destinations = [
  { name: "Pricing", path: "/pricing" },
  { name: "Newsletter", path: "/newsletter" },
  { name: "Contact", path: "/contact" },
];

/** Nothing that a page asks for ahead begins this long after the last has come. */
const restMs = 150;

/** As the newsletter's page has it: how long its issues may take before lines to come stand in their place. */
const skeletonAfterMs = 120;

const mainNavigation = (page: Page) => page.getByRole("navigation", { name: "Main" }).first();

/** Addresses that the page has asked for so far, and a way to wait until nothing is under way. */
function watchRequests(page: Page) {
  const begun: string[] = [];
  const ended: string[] = [];
  const path = (address: string) => new URL(address).pathname;
  page.on("request", (request) => begun.push(path(request.url())));
  page.on("requestfinished", (request) => ended.push(path(request.url())));
  page.on("requestfailed", (request) => ended.push(path(request.url())));
  return {
    begun,
    async allEnded() {
      // What has come may be what asks for the next.
      for (let known = -1; known !== begun.length; await page.waitForTimeout(restMs)) {
        known = begun.length;
        await expect(() => expect(ended.toSorted()).toEqual(begun.toSorted())).toPass();
      }
    },
  };
}

/**
 * Runs in the page. A busy machine takes longer than that to read what it has, and asks for the styles of those lines,
 * which it could only have by the network.
 */
function neverShowSkeleton(afterMs: number) {
  const setTimer = window.setTimeout.bind(window);
  const patient = (run: TimerHandler, ms?: number, ...given: unknown[]) =>
    ms === afterMs ? 0 : setTimer(run, ms, ...given);
  Object.assign(window, { setTimeout: patient });
}

async function openHydrated(page: Page, path: string) {
  await page.goto(path);
  await expect(
    page.getByRole("button", { name: "Open menu", includeHidden: true }),
  ).toHaveAttribute("aria-expanded", "false");
}

for (const { name, path } of destinations) {
  for (const intent of ["hover", "focus"] as const) {
    test(`after the ${intent} on ${name}, a click opens the page without the network`, async ({
      page,
      expectConsole,
      complaints,
    }) => {
      await page.addInitScript(neverShowSkeleton, skeletonAfterMs);
      const requests = watchRequests(page);
      await openHydrated(page, "/");
      await requests.allEnded();
      const before = requests.begun.length;
      const link = mainNavigation(page).getByRole("link", { name, exact: true });
      await link[intent]();
      await expect(() => expect(requests.begun.length).toBeGreaterThan(before)).toPass();
      await requests.allEnded();

      await page.context().setOffline(true);
      // All that the page says then is for the daily sums, and nothing waits for it.
      const notTold = new RegExp(`ERR_INTERNET_DISCONNECTED.*/visits\\?${path}`);
      expectConsole(notTold);
      await link.press("Enter");
      await expect(page).toHaveURL(path);
      await expect(page.locator("h1")).toBeVisible();
      await expect.poll(() => complaints.seen).toContainEqual(expect.stringMatching(notTold));
      await page.context().setOffline(false);
    });
  }
}

test("a link that is touched asks for its page before the finger lifts", async ({ page }) => {
  await openHydrated(page, "/");
  const asked = page.waitForRequest(/\/assets\/about-[\w-]+\.js/);
  await mainNavigation(page)
    .getByRole("link", { name: "About", exact: true })
    .dispatchEvent("pointerover", { pointerType: "touch" });
  await asked;
  expect(new URL(page.url()).pathname).toBe("/");
});

test("nothing is asked for ahead for a visitor who saves data", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "connection", { value: { saveData: true } });
  });
  const requests = watchRequests(page);
  await openHydrated(page, "/");
  await requests.allEnded();
  const before = requests.begun.length;
  await mainNavigation(page).getByRole("link", { name: "Pricing", exact: true }).hover();
  await page.waitForTimeout(300);
  expect(requests.begun.slice(before)).toEqual([]);
});

test("only the styles that the page lacks are asked for, and once", async ({ page }) => {
  const requests = watchRequests(page);
  await openHydrated(page, "/");
  await requests.allEnded();
  const before = requests.begun.length;
  await mainNavigation(page).getByRole("link", { name: "Pricing", exact: true }).hover();
  await expect(() => expect(requests.begun.length).toBeGreaterThan(before)).toPass();
  await requests.allEnded();
  const styles = requests.begun.slice(before).filter((path) => path.endsWith(".css"));
  // The notices' belong to no page, and are for whichever has a form.
  expect(styles.toSorted()).toEqual([
    expect.stringMatching(/^\/assets\/breadcrumb-/),
    expect.stringMatching(/^\/assets\/notices-/),
    expect.stringMatching(/^\/assets\/pricing-/),
  ]);
});
