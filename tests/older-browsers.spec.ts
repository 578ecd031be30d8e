import { untilScriptsAreUp } from "./scripts-are-up.ts";
import { expect, test } from "./site-test.ts";

/** Runs before the page's own scripts; each takes one feature away, as older or guarded browsers do. */
const missing: Record<string, () => void> = {
  popovers: () => {
    const known = Element.prototype.matches;
    Object.defineProperty(Element.prototype, "matches", {
      value(this: Element, selector: string) {
        if (selector.startsWith(":popover-open")) throw new SyntaxError("unknown selector");
        return known.call(this, selector);
      },
    });
    for (const name of ["hidePopover", "showPopover", "togglePopover", "popover"]) {
      Reflect.deleteProperty(HTMLElement.prototype, name);
    }
  },
  beacons: () => {
    Object.defineProperty(navigator, "sendBeacon", { value: undefined });
  },
  "site data": () => {
    for (const name of ["sessionStorage", "localStorage"]) {
      Object.defineProperty(window, name, {
        get() {
          throw new DOMException("Access is denied.", "SecurityError");
        },
      });
    }
  },
  "observers of performance": () => {
    Reflect.deleteProperty(window, "PerformanceObserver");
  },
  "random values": () => {
    Reflect.deleteProperty(Crypto.prototype, "getRandomValues");
  },
};

test.use({ viewport: { width: 1440, height: 900 } });

for (const [feature, take] of Object.entries(missing)) {
  test(`without ${feature} pages come alive, tabs work and links lead on`, async ({
    page,
    expectConsole,
  }) => {
    if (feature === "site data") expectConsole(/denied|sessionStorage/i);
    await page.addInitScript(take);
    for (const path of ["/", "/contact", "/terms", "/newsletter/1", "/use-cases"]) {
      await page.goto(path);
      await untilScriptsAreUp(page);
      await expect(page.locator("h1"), path).toBeVisible();
    }
    await page.getByRole("tab", { name: "Real Estate" }).click();
    await expect(page.getByRole("tabpanel", { name: "Real Estate" })).toBeVisible();
    await page.getByRole("contentinfo").getByRole("link", { name: "About", exact: true }).click();
    await expect(page).toHaveURL(/\/about$/);
    await page
      .getByRole("navigation", { name: "Main" })
      .getByRole("link", { name: "Home" })
      .click();
    await expect(page.getByRole("banner")).toBeVisible();
  });
}
