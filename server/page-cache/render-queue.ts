import { type BoundedQueue, createBoundedQueue, type QueueLimits } from "#backend/bounded-queue.ts";

const defaultLimits: QueueLimits = {
  // Rendering is one thread's work; a second one uses the time in which the first waits.
  concurrency: 2,
  waitingMax: 48,
  // Forms. Who is refused comes back at once, under another address where they have many: who waits does not.
  waitingUrgentMax: 192,
  waitingPerAskerMax: 12,
  waitMaxMs: 3_000,
  // A form, or a page that everybody who asks for it meanwhile gets: all of them are made within that after a start.
  waitUrgentMaxMs: 6_000,
};

/** The queue of all pages that must be made for one request. */
export function createRenderQueue(otherLimits: Partial<QueueLimits> = {}): BoundedQueue {
  return createBoundedQueue({ ...defaultLimits, ...otherLimits });
}
