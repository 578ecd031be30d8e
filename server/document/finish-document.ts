import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Colours } from "#content/colours.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { analyticsScript, contentSecurityPolicy } from "./security-headers.ts";

/** Returns the styles of a built file's address; null where there is no such file. */
export type ReadStyles = (href: string) => string | null;

type DocumentFacts = {
  settings: SiteSettings;
  /** Marks every script, style and link that the site's own code wrote. It never leaves the server. */
  nonce: string;
  showsIssueBody: boolean;
  /** Null where pages come from sources: their styles stay as they are. */
  readStyles: ReadStyles | null;
};

/**
 * A comment, an element whose content is text, or any other start tag. Not an HTML parser: that takes five times as
 * long, and a page made for one visitor is finished while the visitor waits. A tag that isn't recognised gets no hash, so
 * nothing in it runs.
 */
const token =
  /<!--.*?-->|<(script|style|title|textarea)((?:"[^"]*"|[^>"])*)>(.*?)<\/\1|<[a-z](?:"[^"]*"|[^>"])*>/gis;

/** A stylesheet of the build, as React writes its link. */
const stylesheetLink =
  /<link(?: nonce="\w+")? rel="stylesheet" href="(\/assets\/[\w.-]+\.css)"\/>/g;

/**
 * Turns a rendered page into the one that is sent, its styles inline, and its content security policy, with hashes in
 * place of the nonce.
 */
export function finishDocument(
  rendered: string,
  { settings, nonce, showsIssueBody, readStyles }: DocumentFacts,
): { html: string; policy: string } {
  let page = readStyles ? inlineStyles(rendered, nonce, readStyles) : rendered;
  // On a slow line the typefaces come first: a page is read and its forms are sent before any script runs.
  page = page.replaceAll('rel="modulepreload"', 'rel="modulepreload" fetchpriority="low"');
  const { analytics, colours } = settings;
  if (colours) {
    const style = `<style nonce="${nonce}">${colourTokens(colours)}</style>`;
    page = page.replace("</head>", () => `${style}</head>`);
  }
  if (analytics) {
    // At the end of the head, React skips what it didn't write.
    const script = `<script nonce="${nonce}">${analyticsScript(analytics)}</script>`;
    page = page.replace("</head>", () => `${script}</head>`);
  }

  const hashes = { script: new Set<string>(), style: new Set<string>() };
  const nonceAttribute = ` nonce="${nonce}"`;
  const html = page.replace(token, (written, name?: string, attributes = "", content = "") => {
    if (written.startsWith("<!--") || name === "title" || name === "textarea") return written;
    const isOwn = (name ? attributes : written).includes(nonceAttribute);
    const isInline = (name === "script" || name === "style") && content !== "";
    if (isInline && isOwn && !/ src=/.test(attributes)) {
      hashes[name].add(`'sha256-${createHash("sha256").update(content).digest("base64")}'`);
    }
    return isOwn ? written.replace(nonceAttribute, "") : written;
  });
  const stylesComeByScript = readStyles === null;
  const policy = contentSecurityPolicy({ settings, stylesComeByScript, showsIssueBody, hashes });
  return { html, policy };
}

/** The firm's own colours over those of app/styles/tokens.css. */
function colourTokens({ accent, soft, fill, fillPressed }: Colours): string {
  return `html:root{--color-chalk:${accent};--color-chalk-soft:${soft};--color-safety:${fill};--color-safety-press:${fillPressed}}`;
}

/**
 * Puts the styles linked in the head into one element, so that the first paint waits for no other file. The links stay,
 * since the router expects them when it takes over the page, but disabled and of a type that no browser loads: Chromium
 * fetches a disabled sheet ahead. A link in the body stays a link, and so do all if a file is missing.
 */
function inlineStyles(page: string, nonce: string, readStyles: ReadStyles): string {
  const headEnd = page.indexOf("</head>");
  const head = page.slice(0, headEnd);
  const links = [...head.matchAll(stylesheetLink)];
  const sheets = links.map(([, href = ""]) => readStyles(href));
  if (sheets.includes(null)) return page;
  let style = `<style nonce="${nonce}">${sheets.join("").replaceAll("</", "<\\/")}</style>`;
  const finishedHead = head.replace(stylesheetLink, (link) => {
    const before = style;
    style = "";
    return `${before}${link.replace("/>", ' type="text/inlined" disabled=""/>')}`;
  });
  return finishedHead + page.slice(headEnd);
}

/** Returns a reader of the built site's styles that reads each file once. */
export function createStylesReader(clientDirectory: string): ReadStyles {
  const sheets = new Map<string, string>();
  return (href) => {
    const known = sheets.get(href);
    if (known !== undefined) return known;
    const file = path.join(clientDirectory, href);
    if (!existsSync(file)) return null;
    const css = readFileSync(file, "utf8").trim();
    sheets.set(href, css);
    return css;
  };
}
