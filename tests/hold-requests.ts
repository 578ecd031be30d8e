import type { Page } from "@playwright/test";

/** Holds back what a page asks for under such an address, until what this gives is called. */
export async function holdRequests(page: Page, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}
