import { readFileSync } from "node:fs";
import path from "node:path";

/** Gives a reader of the built site's styles by their address, each of which is read once. */
export function createStylesReader(clientDirectory: string): (href: string) => string {
  const sheets = new Map<string, string>();
  return (href) => {
    const known = sheets.get(href);
    if (known !== undefined) return known;
    const css = readFileSync(path.join(clientDirectory, href), "utf8").trim();
    sheets.set(href, css);
    return css;
  };
}
