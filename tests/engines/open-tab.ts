import { findChromium, findFirefox, findWebKit } from "../../scripts/browsers.ts";
import { openChromium } from "./chromium.ts";
import { openFirefox } from "./firefox.ts";
import type { Tab, TabOptions } from "./tab.ts";
import { openWebKit } from "./webkit.ts";

export const engineNames = ["chromium", "firefox", "webkit"] as const;
export type EngineName = (typeof engineNames)[number];

export function openTab(engine: EngineName, options: TabOptions = {}): Promise<Tab> {
  const found = { chromium: findChromium, firefox: findFirefox, webkit: findWebKit };
  const open = { chromium: openChromium, firefox: openFirefox, webkit: openWebKit };
  const browser = found[engine]();
  if (!browser) throw new Error(`This machine has no ${engine}.`);
  return open[engine](browser as never, options);
}
