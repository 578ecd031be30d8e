/**
 * Loaded into a site's server before its own modules: time passes there at once when the test says so, by the wall clock
 * and by the monotonic one alike. What waits on a timer goes on waiting.
 */
import { createShiftingClock } from "./shifting-clock.ts";

const shiftWallClock = createShiftingClock();
const sinceStart = performance.now.bind(performance);
let passedMs = 0;
performance.now = () => sinceStart() + passedMs;

process.on("message", ({ passMs }: { passMs: number }) => {
  passedMs += passMs;
  shiftWallClock(passedMs);
  process.send?.({ passedMs });
});
// The server ends when it is done, whether or not its test still listens.
process.channel?.unref();
