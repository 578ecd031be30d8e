/** Longest text that is searched for, in UTF-16 code units; the field takes no more either. */
export const queryMaxLength = 100;

/** What the address asks for: its words on one line, no longer than is searched. Empty when it asks for nothing. */
export function readQuery(params: URLSearchParams): string {
  const raw = (params.get("q") ?? "").slice(0, queryMaxLength).toWellFormed();
  return raw.replace(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
}

/** Which page of the results the address asks for, from 1. What is no such number asks for the first. */
export function readPage(params: URLSearchParams): number {
  const asked = params.get("page") ?? "";
  return /^[1-9]\d{0,2}$/.test(asked) ? Number(asked) : 1;
}

/** The address of the results for a text, or of a later page of them. */
export function searchAddress(query: string, page = 1): string {
  const params = new URLSearchParams({ q: query });
  if (page > 1) params.set("page", String(page));
  return `/search?${params}`;
}
