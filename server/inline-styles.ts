import { readFileSync } from "node:fs";
import path from "node:path";
import type { MiddlewareHandler } from "hono";
import type { AppEnv } from "./app.ts";

const stylesheetLink =
  /<link (?:nonce="\w+" )?rel="stylesheet" href="(\/assets\/[\w.-]+\.css)"( data-precedence="\w+")?(?: nonce="\w+")?\/>/g;

/**
 * Puts a page's styles into its HTML, so that the first flight of bytes paints it. The links stay where the router
 * expects them when it takes over the page, but disabled, so that they are neither fetched nor waited for; pages opened
 * later by script bring their own.
 */
export function inlineStyles(clientDirectory: string): MiddlewareHandler<AppEnv> {
  const sheets = new Map<string, string>();
  const read = (href: string) => {
    const known = sheets.get(href);
    if (known !== undefined) return known;
    const css = readFileSync(path.join(clientDirectory, href), "utf8").trim();
    sheets.set(href, css);
    return css;
  };
  return async (c, next) => {
    await next();
    if (!c.res.headers.get("Content-Type")?.startsWith("text/html")) return;
    const options = { read, mark: c.var.inlineMark };
    c.res = new Response(withInlineStyles(await c.res.text(), options), c.res);
  };
}

type InlineStylesOptions = {
  /** Gives the styles of an address. */
  read: (href: string) => string;
  /** What the element is marked with, so that the page's policy lists it. */
  mark: string;
};

/**
 * All the styles become one element, where the first link stood. What the page's parts brought themselves, with a
 * precedence, comes last, as it does where a browser fetches it: the order of layers is the page's.
 */
export function withInlineStyles(html: string, { read, mark }: InlineStylesOptions): string {
  const links = [...html.matchAll(stylesheetLink)];
  if (links.length === 0) return html;
  const ofPage = links.filter(([, , precedence]) => !precedence);
  const ofParts = links.filter(([, , precedence]) => precedence);
  const css = [...ofPage, ...ofParts].map(([, href = ""]) => read(href)).join("");
  let isFirst = true;
  return html.replace(stylesheetLink, (_link, href: string, precedence = "") => {
    const style = isFirst ? `<style nonce="${mark}">${css.replaceAll("</", "<\\/")}</style>` : "";
    isFirst = false;
    return `${style}<link rel="stylesheet" href="${href}"${precedence} disabled=""/>`;
  });
}
