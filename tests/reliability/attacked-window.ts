import type { BrowserContext, Page } from "@playwright/test";
import { scriptsAreUp } from "../scripts-are-up.ts";

/** A body that is taller than this for each of its vectors, in CSS pixels, pushes the rest of the page out of reach. */
const maxHeightPx = 6_000;

export type Open = (page: Page) => Promise<void>;

/**
 * A browser window that notes everything that a body could bring about, and compares with harmless issues between two
 * others, opened in the way in which the rest will be. `url` is the site's.
 */
export async function openAttackedWindow(
  context: BrowserContext,
  { url, openHarmless }: { url: string; openHarmless: Open[] },
) {
  await context.addInitScript(watchInPage);
  const page = await context.newPage();
  let events: string[] = [];
  const requested = new Set<string>();
  let isKnown = false;
  page.on("dialog", (dialog) => {
    events.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", ({ message }) => events.push(`thrown: ${message}`));
  page.on("popup", () => events.push("another window"));
  page.on("download", () => events.push("a download"));
  page.on("websocket", (socket) => events.push(`a socket to ${socket.url()}`));
  page.on("frameattached", () => events.push("a frame"));
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !isPictureTrouble(text)) events.push(`console: ${text}`);
  });
  page.on("request", (request) => {
    const { host, pathname } = new URL(request.url());
    if (host !== new URL(url).host) {
      if (request.resourceType() !== "image")
        events.push(`${request.resourceType()} from ${request.url()}`);
      return;
    }
    const asked = `${request.resourceType()} ${pathname.replace(/\d+/g, "0")}`;
    if (!isKnown) requested.add(asked);
    else if (!requested.has(asked) && !isOwnPage(asked)) events.push(`a request of ${asked}`);
  });

  async function see(open: Open): Promise<AttackedPage> {
    await open(page);
    // Prefetched pages are asked for before those of a press.
    await page.waitForFunction(isFetchedAhead, undefined, { polling: 20 });
    await page.waitForFunction(scriptsAreUp, undefined, { polling: 20 });
    return await page.evaluate(readAttackedPage);
  }

  const harmless: AttackedPage[] = [];
  for (const open of openHarmless) harmless.push(await see(open));
  if (events.length > 0) throw new Error(`A harmless issue brought about: ${events.join("; ")}`);
  isKnown = true;

  /** Reports what a harmless body would not have done, and which vectors' ends are on the page. */
  return async function look(open: Open, vectors: number) {
    events = [];
    const seen = await see(open);
    const ran = await page.evaluate(() => (window as { ranByAttack?: string[] }).ranByAttack);
    const escapes = [...events, ...(ran ?? ["its marks were taken away"]), ...seen.problems];
    // A page is as one of them; what it differs in is told by the one that it is most like.
    const found = harmless.map((page) => differences(page, seen));
    escapes.push(...(found.toSorted((a, b) => a.length - b.length)[0] ?? []));
    if (!/^\/newsletter\/\d+$/.test(new URL(page.url()).pathname) || !page.url().startsWith(url))
      escapes.push(`went to ${page.url()}`);
    if (seen.heightPx > maxHeightPx * vectors) escapes.push(`is ${seen.heightPx} px high`);
    return { escapes, ends: seen.ends };
  };
}

/** Runs before anything of the page: whatever a vector would call, and what the policy had to stop. */
function watchInPage() {
  const ran: string[] = [];
  Object.assign(window, { ranByAttack: ran });
  for (const name of ["alert", "confirm", "prompt", "print", "open"]) {
    Object.assign(window, { [name]: () => void ran.push(`a script ran: ${name}()`) });
  }
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
    // Pictures by http are refused in favour of https ones.
    if (effectiveDirective !== "img-src")
      ran.push(`the policy stopped ${effectiveDirective} ${blockedURI}`);
  });
}

// Pictures of other hosts can't be had in a test, and those by http are refused.
function isPictureTrouble(text: string): boolean {
  return /^Failed to load resource: net::ERR_|img-src|Mixed Content: .* image/.test(text);
}

/** Letters with accents have a font. */
function isOwnPage(asked: string): boolean {
  return /^(?:document \/newsletter\/0|font \/assets\/[\w-]+\.woff0)$/.test(asked);
}

function differences(harmless: AttackedPage, seen: AttackedPage): string[] {
  const found: string[] = [];
  if (seen.reachable !== harmless.reachable) {
    found.push(`what can be reached: ${seen.reachable} in place of ${harmless.reachable}`);
  }
  if (seen.sheet !== harmless.sheet) found.push(`sheet ${seen.sheet}, not ${harmless.sheet}`);
  if (seen.outside !== harmless.outside) {
    const at = [...harmless.outside].findIndex((letter, index) => letter !== seen.outside[index]);
    const around = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 60), at + 120));
    found.push(`the page around: ${around(seen.outside)}, not ${around(harmless.outside)}`);
  }
  return found;
}

/** `problems` lists all that is wrong inside the sheet by itself. */
type AttackedPage = {
  problems: string[];
  /** The document without the body's content, and without the words that are taken from it. */
  outside: string;
  /** Whether each link, button and field outside the sheet is what a pointer at its middle hits. */
  reachable: string;
  /** The sheet's left edge and width, in CSS pixels. */
  sheet: string;
  heightPx: number;
  ends: string[];
};

/**
 * Reads the page that it runs in, as the browser has built it. It's sent to the browser as its text, so it uses nothing
 * from outside itself.
 */
function readAttackedPage(): AttackedPage {
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
  const unmoved = {
    transform: "none",
    translate: "none",
    scale: "none",
    rotate: "none",
    filter: "none",
    clipPath: "none",
    animationName: "none",
    zIndex: "auto",
  };
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
    const { position, inset, margin, backgroundImage, listStyleImage, cursor, content } = style;
    // The house's type raises and lowers two by it; a missing picture's box hangs on the picture, which stays put.
    const mayBeMoved = tag === "sup" || tag === "sub";
    const isInPlace = position === "relative" && (mayBeMoved || (tag === "img" && inset === "0px"));
    if (position !== "static" && !isInPlace) problems.push(`${tag} is ${position} by ${inset}`);
    for (const [property, usual] of Object.entries(unmoved)) {
      const value = style[property as "transform"];
      if (value !== usual) problems.push(`${tag} has ${property} ${value}`);
    }
    if (/url\(/.test(backgroundImage + listStyleImage + cursor + content))
      problems.push(`${tag} has a picture in its style`);
    if (margin.includes("-")) problems.push(`${tag} has a negative margin`);
  }
  const { contain, isolation, overflow } = getComputedStyle(body);
  const box = `${contain} ${isolation} ${overflow}`;
  // Paint containment clips whatever goes over the edge, and isolation keeps it in the sheet's own layer.
  if (!/paint|content|strict/.test(contain) || isolation !== "isolate") problems.push(`box ${box}`);
  if (document.documentElement.scrollWidth > innerWidth) problems.push("the page scrolls sideways");

  const copy = document.documentElement.cloneNode(true) as HTMLElement;
  for (const own of copy.querySelectorAll(".issue-body, .issue-number")) own.replaceChildren();
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

/** Runs in the page. */
function isFetchedAhead(): boolean {
  const fetched = performance.getEntriesByType("resource");
  return fetched.some(({ name }) => name.includes("/assets/entry.client-"));
}
