import type { Page as Tab } from "@playwright/test";
import { provider, provideWidget } from "../scheduling-provider.ts";
import { untilScriptsAreUp } from "../scripts-are-up.ts";
import { type Behaviour, patternOf, type Words } from "./expectations.ts";

type Recorded = Window & { opened?: { url: string; prefill: object; utm: object }[] };

const bookingAddresses = {
  page: provider.SCHEDULING_URL,
  contact: provider.SCHEDULING_CONTACT_URL,
};

/** Opens a page whose scheduling widget writes down what it is asked to open, and waits until it's there. */
export async function openRecordingTab(tab: Tab, path: string): Promise<Tab> {
  await tab.unrouteAll();
  await provideWidget(tab);
  await tab.goto(path);
  await tab.waitForFunction(() => (window as Recorded).opened !== undefined);
  return tab;
}

/** Null where the page does what is asked of it, else what it does instead. */
export async function verifyBehaviour(tab: Tab, behaviour: Behaviour): Promise<string | null> {
  if ("consoleError" in behaviour) {
    const logged = tab.waitForEvent(
      "console",
      (message) =>
        message.type() === "error" && patternOf(behaviour.consoleError).test(message.text()),
    );
    await tab.reload();
    return logged.then(() => null);
  }
  if ("goesBack" in behaviour) return verifyBack(tab, behaviour.goesBack);
  const address = bookingAddresses["opens" in behaviour ? behaviour.opens : "page"];
  const everyButton = tab.locator("main").getByRole("button");
  const buttons =
    "bookingButton" in behaviour
      ? tab.locator("main").getByRole("button", { name: patternOf(behaviour.bookingButton) })
      : everyButton;
  const count = await buttons.count();
  const atLeast = ("atLeast" in behaviour && behaviour.atLeast) || 1;
  if (count < atLeast) {
    return `${count} such buttons; those there are: ${await everyButton.allInnerTexts()}`;
  }
  for (let index = 0; index < count; index += 1) {
    await buttons.nth(index).click();
    // A press before the page is alive is done when it is.
    await tab.waitForFunction(() => (window as Recorded).opened?.length).catch(() => {});
    const opened = await tab.evaluate(() => (window as Recorded).opened?.splice(0));
    const wanted = [{ url: address, prefill: {}, utm: {} }];
    if (JSON.stringify(opened) !== JSON.stringify(wanted)) {
      return `button ${index + 1} opens ${JSON.stringify(opened)}`;
    }
  }
  return null;
}

/** Comes to the page from another one, by a link and by its address, and goes back as a visitor does. */
async function verifyBack(tab: Tab, name: Words): Promise<string | null> {
  const { pathname } = new URL(tab.url());
  await tab.goto("/pricing");
  // Without scripts the button leads to the home page.
  await untilScriptsAreUp(tab);
  await tab.locator(`footer a[href="${pathname}"]`).click();
  await tab.waitForURL(`**${pathname}`);
  const back = tab.locator("main").getByRole("button", { name: patternOf(name) });
  await back.click();
  await tab.waitForURL("**/pricing");
  await tab.goto(pathname);
  await untilScriptsAreUp(tab);
  await back.click();
  await tab.waitForURL("**/pricing");
  return null;
}
