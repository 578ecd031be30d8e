import type { Token } from "parse5";
import { tokenizeHtml } from "#issue-body/take-body.ts";
import { html as markup } from "#mail/mail-document.ts";

export type AddressPlace = {
  is: "link" | "picture";
  address: string;
  /** Of a link: the address of a picture inside it. */
  around: string | null;
};

type Found = AddressPlace & { from: number; to: number };

/** Every link's and picture's address, in their order. By the tokeniser alone, in a time that grows with the length. */
export function addressesIn(text: string): AddressPlace[] {
  return find(text);
}

/** The same text with other addresses, where `replace` gives one; everything else stays letter for letter. */
export function withAddresses(
  text: string,
  replace: (place: AddressPlace) => string | null,
): string {
  let written = "";
  let at = 0;
  for (const place of find(text)) {
    const address = replace(place);
    if (address === null || address === place.address) continue;
    const name = place.is === "link" ? "href" : "src";
    written += `${text.slice(at, place.from)}${name}="${markup`${address}`}"`;
    at = place.to;
  }
  return written + text.slice(at);
}

function find(text: string): Found[] {
  const found: Found[] = [];
  let link: Found | null = null;
  function startTag(token: Token.TagToken): void {
    const isLink = token.tagName === "a";
    if (isLink) link = null;
    const name = isLink ? "href" : token.tagName === "img" ? "src" : null;
    const value = token.attrs.find((attribute) => attribute.name === name)?.value.trim();
    const location = token.location as Token.LocationWithAttributes | null;
    const place = name === null ? undefined : location?.attrs?.[name];
    if (!value || !place) return;
    const one: Found = {
      is: isLink ? "link" : "picture",
      address: value,
      around: null,
      from: place.startOffset,
      to: place.endOffset,
    };
    if (isLink) link = one;
    else if (link) link.around ??= value;
    found.push(one);
  }
  tokenizeHtml(text, {
    onStartTag: startTag,
    onEndTag({ tagName }) {
      if (tagName === "a") link = null;
    },
  });
  return found;
}
