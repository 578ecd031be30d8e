import type { Encoding } from "../page-cache/cached-response.ts";

/** What the build appends to a file's name for each compressed form that it leaves beside it. */
export const compressedEndings: Record<Exclude<Encoding, "identity">, string> = {
  br: ".br",
  zstd: ".zst",
  gzip: ".gz",
};
