import { vi } from "vitest";
import { patienceMs } from "./patience.ts";

/** Waits until the condition is true, and throws where it never is. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(condition, { timeout: patienceMs, interval: 10 });
}
