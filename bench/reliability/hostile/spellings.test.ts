import { expect, test } from "vitest";
import { spellingsOf } from "./spellings.ts";

test.each(["/", "/pricing", "/use-cases/leads", "/.well-known/security.txt"])(
  "%s has twenty spellings, all different, that lead to it and nowhere else",
  (path) => {
    const targets = spellingsOf(path).map(({ target }) => target);
    expect(new Set(targets).size).toBe(20);
    expect(targets).not.toContain(path);
    for (const target of targets) expect(plain(target)).toBe(path);
  },
);

/** What remains of a target without its query, once it is read as a file system would. */
function plain(target: string): string {
  const [path = ""] = target.split("?");
  // A doubled slash at the beginning would name a host.
  const { pathname } = new URL(`http://localhost${path.replace(/\/{2,}/g, "/")}`);
  return pathname
    .toLowerCase()
    .replace(/index\.html$/, "")
    .replace(/(?<=.)\/+$/, "");
}
