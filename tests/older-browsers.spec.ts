import { fillIn, leastWritten, noticeOf, sendButton } from "./contact-form.ts";
import { newAddress } from "./new-address.ts";
import { expect, test } from "./site-test.ts";

/** Runs before the page's own scripts, as in an older or guarded browser. */
function takeFeatures() {
  const known = Element.prototype.matches;
  Object.defineProperty(Element.prototype, "matches", {
    value(this: Element, selector: string) {
      if (selector.startsWith(":popover-open")) throw new SyntaxError("unknown selector");
      return known.call(this, selector);
    },
  });
  for (const [owner, ...names] of [
    [HTMLElement.prototype, "hidePopover", "showPopover", "togglePopover", "popover"],
    [window, "PerformanceObserver"],
    [Crypto.prototype, "getRandomValues"],
    [URL, "canParse", "parse"],
    [Promise, "withResolvers", "try"],
    [Object, "groupBy"],
    [AbortSignal, "any", "timeout"],
    [Array.prototype, "toSorted", "toReversed", "toSpliced", "with"],
  ] as [object, ...string[]][]) {
    for (const name of names) Reflect.deleteProperty(owner, name);
  }
  for (const name of ["sessionStorage", "localStorage"]) {
    Object.defineProperty(window, name, {
      get() {
        throw new DOMException("Access is denied.", "SecurityError");
      },
    });
  }
}

test.use({ viewport: { width: 1440, height: 900 } });

test("forms, tabs and links work without newer features and site data", async ({ page, site }) => {
  const open = async (path: string) => {
    await page.goto(path);
    await expect(page.locator("h1"), path).toBeVisible();
  };
  await page.addInitScript(takeFeatures);
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
