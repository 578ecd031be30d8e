import type { Page } from "@playwright/test";

type Shift = { value: number; moved: string[] };
type Watched = Window & { layoutShifts?: Shift[] };
type LayoutShift = PerformanceEntry & { value: number; sources?: { node: Node | null }[] };

/**
 * Notes every layout shift from the first paint on. Answers how to read those of at least `leastSeen`: what moved, and
 * how far.
 */
export async function watchLayoutShifts(
  page: Page,
  leastSeen = 0,
): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    (window as Watched).layoutShifts = shifts;
    const observer = new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as LayoutShift[]) {
        const moved = (sources ?? []).map(({ node }) => {
          const element = node instanceof Element ? node : node?.parentElement;
          return element ? `${element.tagName.toLowerCase()}.${element.classList}` : "?";
        });
        shifts.push({ value, moved });
      }
    });
    observer.observe({ type: "layout-shift", buffered: true });
  });
  return async function readShifts() {
    const shifts = await page.evaluate(async () => {
      // Two frames: one that lays out what came last, and one in which the observer has heard of it.
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
      return (window as Watched).layoutShifts ?? [];
    });
    const seen = shifts.filter(({ value }) => value >= leastSeen);
    return seen.map(({ value, moved }) => `${value.toFixed(4)}: ${moved.join(", ")}`);
  };
}
