import type { Page } from "@playwright/test";
import { issueOf, setIssues } from "./issue-table.ts";
import { untilScriptsAreUp } from "./scripts-are-up.ts";
import { expect, holdRequests, test } from "./site-test.ts";

/**
 * Password managers, extensions and Cloudflare's address obfuscation change a page before its script brings it alive. It
 * must look as it did.
 */
const changes: Record<string, () => void> = {
  "a node beside a field": () => {
    document.querySelector("main input")?.insertAdjacentHTML("afterend", "<i>icon</i>");
  },
  "another address in the words": () => {
    for (const element of document.querySelectorAll("main p, footer a")) {
      if (element.childElementCount === 0 && element.textContent.includes("@")) {
        element.innerHTML = element.innerHTML.replace(
          /\S+@\S+/,
          '<a class="__cf_email__" href="/cdn-cgi/l/email-protection">[email&nbsp;protected]</a>',
        );
      }
    }
  },
  "a node less": () => document.querySelector("main p")?.remove(),
  "a span in main": () => {
    document.querySelector("main")?.insertAdjacentHTML("afterbegin", "<span>extension</span>");
  },
};

const paths = ["/", "/contact", "/newsletter", "/newsletter/999999"];

// A setting of its own means a server of its own: these tests replace its issues.
test.use({ siteSettings: { SITE_NAME: "Chalkline Changed" } });

test.beforeEach(({ site }) =>
  setIssues(site, [issueOf(1, "An issue", "2026-11-02"), issueOf(2, "Another", "2026-11-09")]),
);

// Two of the changes to each page.
for (const [index, path] of paths.entries()) {
  test(`${path}, changed before the scripts, looks the same`, async ({ page, expectConsole }) => {
    if (path === "/newsletter/999999") expectConsole(/404/);
    await page.goto(path);
    const before = await looks(page);
    expect(Object.keys(before).length).toBeGreaterThan(1);
    const names = Object.keys(changes);
    for (const name of [names[index % 4], names[index % 2 === 0 ? 3 : 2]]) {
      await openChanged(page, path, changes[name ?? ""] ?? (() => {}));
      await expect.poll(() => looks(page), name).toEqual(before);
    }
  });
}

/** Opens a page whose HTML is changed as soon as it is read, before any script of the site runs. */
async function openChanged(page: Page, path: string, change: () => void) {
  const letGo = await holdRequests(page, "**/assets/*.js");
  await page.goto(path, { waitUntil: "commit" });
  await page.locator("footer").waitFor();
  await page.evaluate(change);
  letGo();
  await untilScriptsAreUp(page);
  await page.unroute("**/assets/*.js");
}

/** How the parts look that every page has, or that take what a visitor types. */
function looks(page: Page) {
  return page.evaluate(() => {
    const found: Record<string, unknown> = {};
    for (const selector of [
      "footer",
      "footer a",
      "main h1",
      "main form",
      "main form button",
      "main form input:not([type=hidden])",
      ".honeypot",
      "#join",
      ".weekly-contents",
    ]) {
      const element = document.querySelector(selector);
      if (!element) continue;
      const { display, color, backgroundColor, padding, border, position, clipPath, fontSize } =
        getComputedStyle(element);
      const { width } = element.getBoundingClientRect();
      const look = [display, color, backgroundColor, padding, border, position, clipPath, fontSize];
      found[selector] = [...look, Math.round(width)];
    }
    return found;
  });
}
