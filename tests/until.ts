import { vi } from "vitest";
import { patienceMs } from "./patience.ts";

export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(condition, { timeout: patienceMs, interval: 10 });
}
