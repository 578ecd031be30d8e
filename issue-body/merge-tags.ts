/** By program, also percent-encoded. Bounded repeats: a letter may be a megabyte of blanks. */
const tags = [
  // Mailchimp
  /\*(?:\||%7C)([A-Z][^|*<>]{0,80}?)(?:\||%7C)\*/g,
  // Liquid and Handlebars: beehiiv, Kit, Buttondown, listmonk
  /\{\{\{?([^{}<>]{1,200}?)\}?\}\}/g,
  /%7B%7B((?:(?!%7D)[^{}<>"'\s]){1,200}?)%7D%7D/gi,
  /\{%-?([^%<>]{1,200}?)-?%\}/g,
  // Salesforce, Ghost
  /%%\{?([a-z_][\w .-]{0,60})\}?%%/gi,
  // SendGrid
  /<%=?\s{0,20}([\w.]{1,60})\s{0,20}%>/g,
  // Mailgun
  /%(recipient\.[\w.]{1,60}|(?:mailing_list_)?unsubscribe_(?:url|email)|tag_unsubscribe_url)%/g,
  // MailerLite, AWeber
  /(?:\{|%7B)(?:\$|!|%24|%21)([a-z][\w.]{0,40}(?:\|[^{}<>]{0,60})?)(?:\}|%7D)/gi,
  // ActiveCampaign; %41 would be an address's letter
  /(?<!\d)%((?![0-9A-F]{2})[A-Z][A-Z0-9_-]{3,40}|(?:DATE|ADDRESS)[A-Z0-9_-]{0,30})%/g,
  // Zoho
  /\$(?:\[|%5B)([A-Z][^[\]<>%]{0,80})(?:\]|%5D)\$/gi,
  // GetResponse; other double brackets are links of notes programs
  /\[\[((?:\w*name|email|view|remove|unsub\w*|change_details|date|now)|[a-z]\w{1,40} "[^"\]]{0,60}")\]\]/g,
  // Campaign Monitor, Sendy
  /\[(unsubscribe|webversion|preferences|currentyear|firstname|lastname|fullname|email|\w{2,40},\s?fallback=[^\]]{0,40})\]/gi,
  // MailPoet
  /(?:\[|%5B)((?:subscriber|link|newsletter|site):[a-z_]{2,60}[^[\]<>"]{0,60})(?:\]|%5D)/gi,
  // Mautic
  /(?:\{|%7B)((?:contact|lead)field=[^{}<>"]{1,60}|(?:unsubscribe|webview)_(?:url|text))(?:\}|%7D)/gi,
];

/** HTML forbids this character. */
const gap = "\u0001";
const gapBeforeComma = /\s?\u0001(?=\s?[,.;:!?])/g;

export function hasMergeTag(text: string): boolean {
  return tags.some((pattern) => text.search(pattern) >= 0);
}

/** "Hello *|FNAME|*, leaves …" becomes "Hello, leaves …". */
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

function plainName(name: string): string {
  return name.replaceAll(/^(?:%20)+|(?:%20)+$/g, "").trim();
}

/** `first_name | default: "there"`, `firstname,fallback=friend`. */
export function fallbackOf(name: string): string {
  return (
    /(?:default(?:value)?|fallback)\s*[:=(]?\s*["']*([^"')|\]]{0,40})/i.exec(name)?.[1]?.trim() ??
    ""
  );
}
