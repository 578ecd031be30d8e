import type { Page } from "@playwright/test";

/** A scheduling provider that a firm would have, so that every booking address is one of its own. */
export const provider = {
  SCHEDULING_URL: "https://scheduling.example/firm/30min",
  SCHEDULING_CONTACT_URL: "https://scheduling.example/firm/consultation",
};

/** The widget's address. */
const providerFiles = "https://assets.scheduling.example/**";

/** A widget that writes down what it is asked to open. */
export const recordingWidget =
  "window.opened = []; window.Calendly = { initPopupWidget: (options) => opened.push(options) };";

/** Answers for the provider's host with that widget, or another, once `deliver` has. */
export async function provideWidget(
  page: Page,
  deliver: () => Promise<void> = async () => {},
  { script = recordingWidget, styles = "" } = {},
): Promise<void> {
  await page.route(providerFiles, async (route) => {
    await deliver();
    const isScript = route.request().url().endsWith(".js");
    await route.fulfill({
      contentType: isScript ? "text/javascript" : "text/css",
      body: isScript ? script : styles,
    });
  });
}
