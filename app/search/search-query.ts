/** In UTF-16 code units, for the search and the field. */
export const queryMaxLength = 100;

/**
 * The query on one line, cut to the limit; empty if there is none. Joiners stay: they are part of a word's spelling, or
 * of an emoji.
 */
export function readQuery(params: URLSearchParams): string {
  const raw = (params.get("q") ?? "").slice(0, queryMaxLength).toWellFormed();
  return raw.replace(/(?:\s|\p{Cc}|(?![\u200c\u200d])\p{Cf})+/gu, " ").trim();
}

/** The page of results, counted from 1. Anything but a valid number means the first. */
export function readPage(params: URLSearchParams): number {
  const asked = params.get("page") ?? "";
  return /^[1-9]\d{0,2}$/.test(asked) ? Number(asked) : 1;
}

/** The address of a query's results, or of a later page of them. */
export function searchAddress(query: string, page = 1): string {
  const params = new URLSearchParams({ q: query });
  if (page > 1) params.set("page", String(page));
  return `/search?${params}`;
}
