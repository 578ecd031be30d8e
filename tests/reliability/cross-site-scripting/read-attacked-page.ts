/** What a browser finds on an issue's page. `problems` is all that is wrong inside the sheet by itself. */
export type AttackedPage = {
  problems: string[];
  /** The document without the body's content, and without the words that are taken from it. */
  outside: string;
  /** Whether each link, button and field outside the sheet is what a pointer at its middle hits. */
  reachable: string;
  /** Where the sheet begins and how wide it is, in CSS pixels. */
  sheet: string;
  heightPx: number;
  ends: string[];
};

/**
 * Reads the page that it runs in, as the browser has built it. It's sent to the browser as its text, so it uses nothing
 * from outside itself.
 */
export function readAttackedPage(): AttackedPage {
  const body = document.querySelector<HTMLElement>(".issue-body");
  if (!body) throw new Error("There is no issue's body.");
  const problems: string[] = [];
  const asks =
    /^(?:script|style|link|meta|base|title|iframe|frame|frameset|object|embed|applet|form|input|button|select|option|textarea|output|fieldset|label|datalist|template|slot|noscript|svg|math|video|audio|source|track|picture|canvas|map|area|marquee|dialog|details|summary|main|nav|header|footer|body|html|head)$/;
  const addressOf: Record<string, RegExp> = {
    href: /^(?:https?:\/\/|mailto:|tel:|#issue-|\/(?![/\\]))/i,
    src: /^(?:https?:\/\/|data:image\/(?:png|jpeg|jpg|gif|webp);base64,)/i,
    cite: /^(?:https?:\/\/|mailto:|tel:|#issue-|\/(?![/\\]))/i,
  };
  const fetching =
    /^(?:srcset|srcdoc|action|formaction|ping|poster|background|data|manifest|lowsrc|dynsrc|codebase|classid|usemap|profile|longdesc|attributionsrc|imagesrcset|xlink:href|nonce|slot|is|popover|popovertarget|commandfor|form|name|contenteditable|autofocus|accesskey|tabindex-|hidden|inert|class-)$/;
  for (const element of body.querySelectorAll<HTMLElement>("*")) {
    const tag = element.localName;
    if (element.namespaceURI !== "http://www.w3.org/1999/xhtml") problems.push(`foreign ${tag}`);
    if (asks.test(tag) || /[^a-z0-9]/.test(tag)) problems.push(`${tag} element`);
    for (const { name, value } of element.attributes) {
      if (/^on/i.test(name) || fetching.test(name)) problems.push(`${tag} ${name}`);
      if (addressOf[name]?.test(value) === false) problems.push(`${name} ${value.slice(0, 80)}`);
      if (name === "id" && !value.startsWith("issue-")) problems.push(`id ${value}`);
      if (name === "class" && !/^issue-[a-z-]+(?: issue-[a-z-]+)*$/.test(value))
        problems.push(`class ${value}`);
    }
    const style = getComputedStyle(element);
    // The house's type raises and lowers these two by it; a missing picture's box hangs on the picture, which stays put.
    const mayBeMoved = tag === "sup" || tag === "sub";
    const mayBeRelative = mayBeMoved || tag === "img";
    if (style.position !== "static" && !(mayBeRelative && style.position === "relative"))
      problems.push(`${tag} is ${style.position}`);
    for (const side of ["top", "right", "bottom", "left"]) {
      const offset = style[side as "top"];
      if (!mayBeMoved && offset !== "auto" && Number.parseFloat(offset) !== 0)
        problems.push(`${tag} is moved from its ${side} by ${offset}`);
    }
    for (const property of ["transform", "translate", "scale", "rotate", "filter", "clipPath"]) {
      const value = style[property as "transform"];
      if (value !== "none") problems.push(`${tag} has ${property} ${value}`);
    }
    if (style.zIndex !== "auto") problems.push(`${tag} has a z-index`);
    if (style.animationName !== "none") problems.push(`${tag} is animated`);
    if (/url\(/.test(style.backgroundImage + style.listStyleImage + style.cursor + style.content)) {
      problems.push(`${tag} has a picture in its style`);
    }
    for (const side of ["marginTop", "marginRight", "marginBottom", "marginLeft"]) {
      if (Number.parseFloat(style[side as "marginTop"]) < 0) {
        problems.push(`${tag} has a negative ${side}`);
      }
    }
  }
  const { contain, isolation, overflow } = getComputedStyle(body);
  const box = `${contain} ${isolation} ${overflow}`;
  // Paint containment clips whatever goes over the edge, and isolation keeps it in the sheet's own layer.
  if (!/paint|content|strict/.test(contain) || isolation !== "isolate") problems.push(`box ${box}`);
  if (document.documentElement.scrollWidth > innerWidth) problems.push("the page scrolls sideways");

  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  copy.querySelector(".issue-body")?.replaceChildren();
  for (const script of copy.querySelectorAll("script")) script.textContent = "";
  // Its words are the issue's own, in words.
  for (const meta of copy.querySelectorAll("meta[name*=description], meta[property*=description]"))
    meta.remove();
  const controls = document.querySelectorAll<HTMLElement>("a[href], button, input, h1, summary");
  const reachable = [...controls].flatMap((element) => {
    if (body.contains(element)) return [];
    element.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = element.getBoundingClientRect();
    const hit = document.elementFromPoint(left + width / 2, top + height / 2);
    return [hit !== null && (element.contains(hit) || hit.contains(element)) ? "1" : "0"];
  });
  scrollTo({ top: 0, behavior: "instant" });
  const sheet = body.getBoundingClientRect();
  return {
    problems,
    outside: copy.outerHTML.replace(/\d+/g, "0"),
    reachable: reachable.join(""),
    sheet: `${sheet.left} ${sheet.top} ${sheet.width}`,
    heightPx: sheet.height,
    ends: [...body.querySelectorAll("p")].flatMap(({ textContent }) =>
      textContent.startsWith("end of ") ? [textContent.slice("end of ".length)] : [],
    ),
  };
}
