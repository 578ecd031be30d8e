/**
 * The tags of Mailchimp (`*|UNSUB|*`), of Liquid and Handlebars as beehiiv, Kit, Buttondown and listmonk write them
 * (`{{ unsubscribe_url }}`, `{% if %}`), of Salesforce and Ghost (`%%name%%`, `%%{name}%%`), SendGrid (`<%name%>`), Mailgun (`%recipient.name%`)
 * and Campaign Monitor (`[unsubscribe]`), also as addresses spell them. A name is in the first group that matched. Every
 * repeat has an end, since a letter may be a megabyte of blanks.
 */
const tags = [
  /\*(?:\||%7C)([A-Z][^|*<>]{0,80}?)(?:\||%7C)\*/g,
  /\{\{\{?([^{}<>]{1,200}?)\}?\}\}/g,
  /%7B%7B((?:(?!%7D)[^{}<>"'\s]){1,200}?)%7D%7D/gi,
  /\{%-?([^%<>]{1,200}?)-?%\}/g,
  /%%\{?([a-z_][\w .-]{0,60})\}?%%/gi,
  /<%=?\s{0,20}([\w.]{1,60})\s{0,20}%>/g,
  /%(recipient\.[\w.]{1,60}|(?:mailing_list_)?unsubscribe_(?:url|email)|tag_unsubscribe_url)%/g,
  /\[(unsubscribe|webversion|preferences|currentyear|(?:firstname|lastname|fullname|email)(?:,\s*fallback=[^\]]{0,40})?)\]/gi,
];

/** Marks a removed tag; HTML forbids this character. */
const gap = "\u0001";
const gapBeforeComma = /\s?\u0001(?=\s?[,.;:!?])/g;

export function hasMergeTag(text: string): boolean {
  return tags.some((pattern) => text.search(pattern) >= 0);
}

/** Replaces each merge tag by its value; "Hello *|FNAME|*, leaves …" becomes "Hello, leaves …". */
export function replaceMergeTags(
  text: string,
  valueFor: (name: string, tag: string) => string,
): string {
  return tags
    .reduce(
      (rest, pattern) =>
        rest.replace(pattern, (tag, name: string) => valueFor(plainName(name), tag) || gap),
      text,
    )
    .replaceAll(gapBeforeComma, "")
    .replaceAll(gap, "");
}

/** Decodes and trims a name from an address. */
function plainName(name: string): string {
  return name.replaceAll(/^(?:%20)+|(?:%20)+$/g, "").trim();
}

/** The tag's own default: `first_name | default: "there"`, `firstname,fallback=friend`. */
export function fallbackOf(name: string): string {
  return (
    /(?:default|fallback)\s*[:=(]?\s*(?:["']|&quot;)*([^"'&)|\]]{0,40})/i.exec(name)?.[1]?.trim() ??
    ""
  );
}
