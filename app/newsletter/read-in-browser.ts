import type { Archive, LoadingArchive } from "./archive.ts";

/** An answer that comes within this time is shown at once: a skeleton that only flashes is worse than none. */
const quietMs = 120;

/** The archive if it comes quickly, otherwise the promise of it. A read that fails on the way is a failed load. */
export async function readInBrowser(answer: Promise<Archive>): Promise<Archive | LoadingArchive> {
  const reading = answer.catch((): Archive => ({ state: "failed" }));
  const pause = new Promise<null>((resolve) => setTimeout(resolve, quietMs, null));
  return (await Promise.race([reading, pause])) ?? { state: "loading", reading };
}
