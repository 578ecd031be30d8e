import type { UIMatch } from "react-router";
import type { SiteFacts } from "../site-facts.ts";

/** The root loader's facts, as a page's `meta` finds them among its matches. */
export function rootFacts(matches: readonly (Pick<UIMatch, "id" | "loaderData"> | undefined)[]) {
  const root = matches.find((match) => match?.id === "root");
  if (!root?.loaderData) throw new Error("A page's head is made without the root's facts.");
  return root.loaderData as SiteFacts;
}
