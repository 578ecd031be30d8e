import { html as markup } from "hono/html";
import { parse } from "parse5";
import { elementsBelow, getAttribute } from "./body-tree.ts";

export type AddressPlace = {
  is: "link" | "picture";
  address: string;
  /** The address of the first picture inside a link. */
  around: string | null;
  /** The whole attribute. */
  from: number;
  to: number;
};

/** The same text with other addresses where `replace` returns one; everything else stays letter for letter. */
export function withAddresses(text: string, replace: (place: AddressPlace) => string | null) {
  let written = "";
  let at = 0;
  for (const place of addressesIn(text)) {
    const address = replace(place);
    if (address === null || address === place.address) continue;
    const name = place.is === "link" ? "href" : "src";
    written += `${text.slice(at, place.from)}${name}="${markup`${address}`}"`;
    at = place.to;
  }
  return written + text.slice(at);
}

/** Every link's and picture's address, in the order of the text. */
export function addressesIn(text: string): AddressPlace[] {
  const found = new Map<number, AddressPlace>();
  for (const element of elementsBelow(parse(text, { sourceCodeLocationInfo: true }))) {
    const isLink = element.tagName === "a";
    if (!isLink && element.tagName !== "img") continue;
    const name = isLink ? "href" : "src";
    const address = getAttribute(element, name)?.trim();
    const place = element.sourceCodeLocation?.attrs?.[name];
    if (!address || !place) continue;
    const { startOffset: from, endOffset: to } = place;
    const picture = elementsBelow(element).find(({ tagName }) => tagName === "img");
    const around = (picture && getAttribute(picture, "src")?.trim()) ?? null;
    // The parser may copy a link that isn't closed.
    if (!found.has(from))
      found.set(from, { is: isLink ? "link" : "picture", address, around, from, to });
  }
  return [...found.values()].sort((a, b) => a.from - b.from);
}

/** A path without percent-encoding; as it is where that can't be decoded. */
export function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
