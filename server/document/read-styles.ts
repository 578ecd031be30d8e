import { existsSync, readFileSync } from "node:fs";
import path from "node:path";

/** Gives the styles of a built file's address; null where there is no such file. */
export type ReadStyles = (href: string) => string | null;

/** Gives a reader of the built site's styles, each of which is read once. */
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
