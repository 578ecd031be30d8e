import type { BrowserContextOptions, Page } from "@playwright/test";
import { holdRequests } from "#tests/hold-requests.ts";
import { setIssues, withoutIssueTable } from "#tests/issue-table.ts";
import { signUpForLinks } from "#tests/mail-links.ts";
import type { SiteServer } from "#tests/site-server.ts";

/** What a page shows besides its first sight, and how a visitor comes to see it. */
type PicturedState = {
  name: string;
  path: string;
  /** The address in place of the path, where only a mail of the running site knows it. */
  address?(site: SiteServer): Promise<string>;
  context?: BrowserContextOptions;
  /** In pixels, of text set larger than the usual 16; Chromium's own setting. */
  textPx?: number;
  /** Brings the open page to the state. */
  arrange?(page: Page): Promise<unknown>;
  /** Does the work while the site is in a state of its own. */
  during?(site: SiteServer, work: () => Promise<void>): Promise<void>;
};

const message = { firstName: "Dana", lastName: "Reyes", email: "dana@reyes.example" };
const contactCall = "**/functions/v1/send-contact-email";
const subscribeCall = "**/functions/v1/newsletter-signup";

async function sendMessage(page: Page, fields: Record<string, string>) {
  for (const [id, value] of Object.entries(fields)) await page.fill(`#${id}`, value);
  await page.click("#contact-form button[type=submit]");
}

async function subscribe(page: Page, address: string) {
  await page.fill("#subscribe-email", address);
  await page.click("#subscribe button[type=submit]");
}

const fullMessage = { ...message, message: "Quotes take three evenings a week." };
const never = () => new Promise<never>(() => {});

export const picturedStates: readonly PicturedState[] = [
  {
    name: "menu-open",
    path: "/pricing",
    arrange: async (page) => {
      if (await page.locator(".menu-toggle").isVisible()) await page.click(".menu-toggle");
    },
  },
  { name: "contact-invalid", path: "/contact", arrange: (page) => sendMessage(page, {}) },
  {
    name: "contact-bad-address",
    path: "/contact",
    arrange: (page) => sendMessage(page, { ...fullMessage, email: "dana@reyes" }),
  },
  {
    name: "contact-sending",
    path: "/contact",
    arrange: async (page) => {
      await page.route(contactCall, never);
      await sendMessage(page, fullMessage);
    },
  },
  {
    name: "contact-sent",
    path: "/contact",
    arrange: async (page) => {
      await sendMessage(page, fullMessage);
      await page.waitForSelector(".received-order");
    },
  },
  {
    name: "contact-failed",
    path: "/contact",
    arrange: async (page) => {
      await page.route(contactCall, (route) => route.abort());
      await sendMessage(page, fullMessage);
      await page.waitForSelector(".notice-title");
    },
  },
  { name: "contact-with-sum", path: "/contact?sheet=leads&sum=1820" },
  {
    name: "booking-open",
    path: "/contact",
    arrange: async (page) => {
      await page.waitForFunction(() => "Calendly" in window);
      await page.locator("main button[aria-haspopup=dialog]").first().click();
    },
  },
  { name: "subscribe-empty", path: "/newsletter", arrange: (page) => subscribe(page, "") },
  { name: "subscribe-malformed", path: "/newsletter", arrange: (page) => subscribe(page, "dana@") },
  {
    name: "subscribe-sending",
    path: "/newsletter",
    arrange: async (page) => {
      await page.route(subscribeCall, never);
      await subscribe(page, message.email);
    },
  },
  {
    name: "subscribe-failed",
    path: "/newsletter",
    arrange: async (page) => {
      await page.route(subscribeCall, (route) => route.abort());
      await subscribe(page, message.email);
      await page.waitForSelector(".notice-title");
    },
  },
  {
    name: "subscribe-sent",
    path: "/newsletter",
    arrange: async (page) => {
      await subscribe(page, message.email);
      await page.waitForSelector(".notice-title");
    },
  },
  {
    name: "subscribe-limited",
    path: "/newsletter",
    arrange: async (page) => {
      await page.route(subscribeCall, (route) =>
        route.fulfill({
          status: 429,
          headers: { "retry-after": "3600" },
          json: { success: false, duplicate: false, message: "Please try again in an hour." },
        }),
      );
      await subscribe(page, message.email);
      await page.waitForSelector(".notice-title");
    },
  },
  ...(["confirm", "unsubscribe"] as const).flatMap((link) => [
    {
      name: `mail-${link}`,
      path: `/newsletter/${link}`,
      address: async (site: SiteServer) => (await signUpForLinks(site))[link],
    },
    {
      name: `mail-${link}-done`,
      path: `/newsletter/${link}`,
      address: async (site: SiteServer) => (await signUpForLinks(site))[link],
      arrange: async (page: Page) => {
        const done = page.locator("main [role=status]");
        if (await done.isVisible()) return;
        await page.click("main form button");
        await done.waitFor();
      },
    },
  ]),
  {
    name: "mail-preferences",
    path: "/newsletter/preferences",
    address: async (site) => (await signUpForLinks(site)).preferences,
  },
  { name: "mail-token-wrong", path: "/newsletter/confirm?token=not-one-of-ours" },
  {
    name: "newsletter-loading",
    path: "/newsletter",
    arrange: async (page) => {
      await holdRequests(page, "**/*.data*");
      await page.locator("main select").selectOption({ index: 1 });
      await page.waitForSelector(".issue-skeleton");
    },
  },
  { name: "newsletter-unknown", path: "/newsletter?issue=99" },
  { name: "newsletter-failed", path: "/newsletter?issue=2", during: withoutIssueTable },
  {
    name: "worksheet-edited",
    path: "/use-cases/leads",
    arrange: async (page) => {
      await page.locator(".calculation input").first().fill("14");
      await page.locator(".calculation input").nth(1).fill("many");
    },
  },
  ...["/", "/pricing"].map((path) => ({
    name: `price-written-${path.slice(1) || "home"}`,
    path,
    arrange: (page: Page) =>
      page.getByRole("textbox", { name: "Your price in dollars" }).fill("2,500"),
  })),
  {
    name: "drawing-after",
    path: "/use-cases/leads",
    // On a wide sheet both are shown.
    arrange: async (page) => {
      if (await page.locator(".drawing-switch").isVisible()) {
        await page.locator(".drawing-after").check({ force: true });
      }
    },
  },
  ...["Real Estate", "Home Improvement"].map((label) => ({
    name: `tab-${label.toLowerCase().replace(" ", "-")}`,
    path: "/use-cases",
    arrange: (page: Page) => page.getByRole("tab", { name: label }).click(),
  })),
  ...["/", "/use-cases", "/use-cases/leads", "/contact", "/newsletter"].flatMap((path) => {
    const name = path.slice(path.lastIndexOf("/") + 1) || "home";
    return [
      { name: `${name}-no-scripts`, path, context: { javaScriptEnabled: false } },
      { name: `${name}-forced-colours`, path, context: { forcedColors: "active" } as const },
      { name: `${name}-double-text`, path, textPx: 32 },
    ];
  }),
  // The last, since no issue is left after it.
  {
    name: "newsletter-empty",
    path: "/newsletter",
    during: async (site, work) => {
      await setIssues(site, []);
      await work();
    },
  },
];
