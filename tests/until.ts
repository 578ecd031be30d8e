import { vi } from "vitest";
import { patienceMs } from "./patience.ts";

/** Waits until the condition holds, and throws where it never does. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(condition, { timeout: patienceMs, interval: 10 });
}
