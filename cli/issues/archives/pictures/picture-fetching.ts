import { type Picture, picturePath } from "#newsletter/pictures.ts";
import type { FetchedPicture } from "./fetch-picture.ts";

/** Of one import. */
const limits = { atOnce: 4, bytesMax: 500_000_000, ms: 60 * 60_000 };

type FetchedAll = {
  /** Where each is kept now, by the address that it had. */
  paths: Map<string, string>;
  /** New to this import, and to be kept. */
  added: Picture[];
  /** Paths of those that an earlier post has brought. */
  kept: string[];
  failed: { address: string; reason: string }[];
};

export type PictureFetching = ReturnType<typeof createPictureFetching>;

/** Fetches an import's pictures, each address once, a few at a time, and no more than a bound of all together. */
export function createPictureFetching(
  fetchOne: (address: string) => Promise<FetchedPicture>,
  { atOnce, bytesMax, ms } = limits,
) {
  const endsAt = performance.now() + ms;
  const known = new Map<string, string | { reason: string }>();
  const paths = new Set<string>();
  let bytes = 0;

  function reasonToStop(): string | null {
    if (bytes >= bytesMax) return `is left, as the others are ${bytesMax / 1_000_000} MB together`;
    if (performance.now() >= endsAt) return `is left, as the others took ${ms / 60_000} minutes`;
    return null;
  }

  async function fetchNew(address: string, all: FetchedAll): Promise<void> {
    const stop = reasonToStop();
    const fetched: FetchedPicture =
      stop === null ? await fetchOne(address) : { ok: false, reason: stop };
    if (!fetched.ok) {
      known.set(address, { reason: fetched.reason });
      return;
    }
    const path = picturePath(fetched.picture);
    known.set(address, path);
    if (paths.has(path)) return;
    paths.add(path);
    bytes += fetched.picture.bytes.length;
    all.added.push(fetched.picture);
  }

  return {
    /** The pictures of one post. */
    async fetchAll(addresses: readonly string[]): Promise<FetchedAll> {
      const all: FetchedAll = { paths: new Map(), added: [], kept: [], failed: [] };
      const waiting = addresses.filter((address) => !known.has(address));
      const fetchWaiting = async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          await fetchNew(next, all);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, fetchWaiting));
      const isNew = new Set(all.added.map(picturePath));
      for (const address of addresses) {
        const found = known.get(address);
        if (typeof found !== "string") {
          all.failed.push({ address, reason: found?.reason ?? "is not there" });
          continue;
        }
        all.paths.set(address, found);
        if (!isNew.has(found)) all.kept.push(found);
      }
      return all;
    },
    /** They were not kept after all. */
    forget(pictures: readonly Picture[]): void {
      for (const picture of pictures) {
        const path = picturePath(picture);
        paths.delete(path);
        for (const [address, found] of known) if (found === path) known.delete(address);
      }
    },
    get fetched() {
      return { count: paths.size, bytes };
    },
  };
}
