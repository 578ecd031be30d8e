import { fillIn, leastWritten, noticeOf, sendButton } from "./contact-form.ts";
import { newAddress } from "./new-address.ts";
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
  "the newer calls of the language": () => {
    Reflect.deleteProperty(URL, "canParse");
    Reflect.deleteProperty(URL, "parse");
    for (const name of ["withResolvers", "try"]) Reflect.deleteProperty(Promise, name);
    Reflect.deleteProperty(Object, "groupBy");
    for (const name of ["any", "timeout"]) Reflect.deleteProperty(AbortSignal, name);
    for (const name of ["toSorted", "toReversed", "toSpliced", "with"]) {
      Reflect.deleteProperty(Array.prototype, name);
    }
  },
  "random values": () => {
    Reflect.deleteProperty(Crypto.prototype, "getRandomValues");
  },
};

test.use({ viewport: { width: 1440, height: 900 } });

for (const [feature, take] of Object.entries(missing)) {
  test(`without ${feature} pages come alive, tabs work, links lead on, and a sign-up and a message arrive`, async ({
    page,
    site,
    expectConsole,
  }) => {
    if (feature === "site data") expectConsole(/denied|sessionStorage/i);
    const open = async (path: string) => {
      await page.goto(path);
      await untilScriptsAreUp(page);
      await expect(page.locator("h1"), path).toBeVisible();
    };
    await page.addInitScript(take);
    const address = newAddress();
    await open("/newsletter");
    await page.locator("#subscribe .field-input").fill(address);
    await page.locator("#subscribe button[type=submit]").click();
    await expect(noticeOf(page, "Successfully Subscribed!")).toBeVisible();
    await open("/contact");
    await fillIn(page, { ...leastWritten, Email: address });
    await sendButton(page).click();
    await expect(noticeOf(page, "Message Sent Successfully!")).toBeVisible();
    await site.mailTo(address);
    await site.messageFrom(address);
    await open("/newsletter/1");
    await open("/use-cases");
    await page.getByRole("tab", { name: "Real Estate" }).click();
    await expect(page.getByRole("tabpanel", { name: "Real Estate" })).toBeVisible();
    await page.getByRole("contentinfo").getByRole("link", { name: "Terms & Conditions" }).click();
    await expect(page).toHaveURL(/\/terms$/);
    const navigation = page.getByRole("navigation", { name: "Main" });
    await navigation.getByRole("link", { name: "Home" }).click();
    await expect(page).toHaveURL(`${site.url}/`);
    await expect(page.locator("h1")).toBeVisible();
  });
}
