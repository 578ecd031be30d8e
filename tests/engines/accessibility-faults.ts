import { audit, axeSource, runAudit } from "../every-page/axe.ts";
import { type Tab, untilStill } from "./tab.ts";

/** Returns a line for each faulty element on the page, or within the selectors. */
export async function accessibilityFaults(tab: Tab, within: string[] = []): Promise<string[]> {
  await tab.inject(axeSource);
  // An element that fades out at a new width is pale until it is gone.
  await untilStill(tab);
  return await tab.run(runAudit, audit(within));
}
