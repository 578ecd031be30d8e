import { audit, axeSource, runAudit } from "../every-page/axe.ts";
import { type Tab, untilStill } from "./tab.ts";

/** What axe finds, of the whole page or within what the selectors name: a line for each faulty element. */
export async function accessibilityFaults(tab: Tab, within: string[] = []): Promise<string[]> {
  await tab.inject(axeSource);
  // What fades out at a new width is still there, and pale, until it is gone.
  await untilStill(tab);
  return await tab.run(runAudit, audit(within));
}
