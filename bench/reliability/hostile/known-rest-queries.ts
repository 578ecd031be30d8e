import type { HostileRequest } from "./hostile-request.ts";

const table = "/rest/v1/final_newsletters";

/** Queries that have once stopped a server, beside those that the search over the grammar finds. */
export const knownRestQueries: HostileRequest[] = [
  `${table}?select=${aliases(409)}`,
  `${table}?select=${"*,".repeat(2_000)}*`,
  `${table}?order=${"id,".repeat(2_000)}id`,
  `${table}?order=${"content_markdown.desc,".repeat(300)}id`,
  `${table}?order=content_markdown`,
  `${table}?select=a${"+".repeat(4_000)}!`,
  `${table}?select=*&limit=1000`,
  `${table}?select=content_markdown`,
  `${table}?content_markdown=like.${"*a".repeat(200)}*`,
  `${table}?${"content_markdown=ilike.*zq*&".repeat(50)}`,
].map((target) => ({ target }));

function aliases(count: number): string {
  return Array.from({ length: count }, (_, index) => `a${index}:content_markdown`).join(",");
}
