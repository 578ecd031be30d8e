/** Longest text that is searched for, in UTF-16 code units; the field takes no more either. */
export const queryMaxLength = 100;

/** What the address asks for: its words on one line, no longer than is searched. Empty when it asks for nothing. */
export function readQuery(params: URLSearchParams): string {
  const raw = (params.get("q") ?? "").slice(0, queryMaxLength).toWellFormed();
  return raw.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
}

/** The address of the results for a text. */
export function searchAddress(query: string): string {
  return `/search?${new URLSearchParams({ q: query })}`;
}
