import { type BoundedQueue, createBoundedQueue, type QueueLimits } from "#api/bounded-queue.ts";

/**
 * A form, or a page that everybody who asks for it meanwhile gets: all of them are made within that after a start. A proxy
 * that asks the other copy for what this one refused has to do so for longer (`deploy/nginx/chalkline.conf`).
 */
export const waitUrgentMaxMs = 6_000;

const defaultLimits: QueueLimits = {
  // Rendering is one thread's work; a second one uses the time in which the first waits.
  concurrency: 2,
  waitingMax: 48,
  // Forms. Who is refused comes back at once, under another address where they have many: who waits does not.
  waitingUrgentMax: 192,
  waitingPerAskerMax: 12,
  waitMaxMs: 3_000,
  waitUrgentMaxMs,
};

/** The queue of all pages that must be made for one request. */
export function createRenderQueue(otherLimits: Partial<QueueLimits> = {}): BoundedQueue {
  return createBoundedQueue({ ...defaultLimits, ...otherLimits });
}
