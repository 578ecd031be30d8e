import type { Browser, Page } from "@playwright/test";
import { type AttackedPage, readAttackedPage } from "./read-attacked-page.ts";

/** Longest that an issue's page may take until its scripts have taken it over, in milliseconds. */
const readyTimeoutMs = 15_000;
/** A body that is taller than this for each of its vectors, in CSS pixels, pushes the rest of the page out of reach. */
const maxHeightPx = 6_000;

export type AttackedBrowser = {
  /** Opens the issue and gives what a harmless body would not have done. `open` brings the browser there. */
  look: (open: (page: Page) => Promise<void>, vectors: number) => Promise<Look>;
  close: () => Promise<void>;
};

type Look = { escapes: string[]; ends: string[] };

type AttackedBrowserOptions = {
  /** Origin of the site. */
  url: string;
  /** Each opens a harmless issue between two others, in the way in which the rest will be opened. */
  openHarmless: ((page: Page) => Promise<void>)[];
  /** Whether the content security policy is switched off, so that the sanitiser stands alone. */
  withoutPolicy: boolean;
};

/** A browser window that notes everything that a body could bring about, and compares with harmless ones. */
export async function openAttackedBrowser(
  browser: Browser,
  { url, openHarmless, withoutPolicy }: AttackedBrowserOptions,
): Promise<AttackedBrowser> {
  const context = await browser.newContext({ bypassCSP: withoutPolicy });
  await context.addInitScript(watchInPage);
  const page = await context.newPage();
  let events: string[] = [];
  const requested = new Set<string>();
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
  let known: Set<string> | null = null;
  page.on("request", (request) => {
    const { host, pathname } = new URL(request.url());
    if (host !== new URL(url).host) {
      if (request.resourceType() !== "image") {
        events.push(`${request.resourceType()} from ${request.url()}`);
      }
      return;
    }
    const asked = `${request.resourceType()} ${pathname.replace(/\d+/g, "0")}`;
    if (known && !known.has(asked) && !isOwnPage(asked)) events.push(`a request of ${asked}`);
    requested.add(asked);
  });

  async function see(open: (page: Page) => Promise<void>): Promise<AttackedPage> {
    await open(page);
    await page.waitForFunction(
      () => document.querySelector("script[src$='/widget.js']") !== null,
      undefined,
      { timeout: readyTimeoutMs, polling: 20 },
    );
    return await page.evaluate(readAttackedPage);
  }

  const harmless: AttackedPage[] = [];
  for (const open of openHarmless) harmless.push(await see(open));
  if (events.length > 0) throw new Error(`A harmless issue brought about: ${events.join("; ")}`);
  known = new Set(requested);

  return {
    async look(open, vectors) {
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
    },
    close: () => context.close(),
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

/** Opened by script, a page asks for its data and for those of its neighbours; letters with accents have a font. */
function isOwnPage(asked: string): boolean {
  return /^(?:(?:document|fetch|other) \/newsletter\/0(?:\.data)?|font \/assets\/[\w-]+\.woff0)$/.test(
    asked,
  );
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
