/** A spelling of an address, and what about it is odd. */
type Spelling = { target: string; how: string };

const spellingsMax = 20;

/**
 * Twenty other spellings of a path that all mean the same page. None has a dot segment's meaning changed by where it
 * stands, so that each leads to the path and to no other.
 */
export function spellingsOf(path: string): Spelling[] {
  const inner = path === "/" ? "" : path;
  const [first = "", ...rest] = inner.slice(1).split("/");
  const tail = rest.map((part) => `/${part}`).join("");
  const spellings: Spelling[] = [
    { how: "a slash at the end", target: `${inner}/` },
    { how: "capitals", target: inner.toUpperCase() },
    { how: "one capital", target: `/${first.slice(0, 1).toUpperCase()}${first.slice(1)}${tail}` },
    { how: "index.html", target: `${inner}/index.html` },
    { how: "a doubled slash before", target: `/${inner || "/"}` },
    { how: "a dot segment before", target: `/.${inner || "/"}` },
    { how: "an unknown query", target: `${path}?utm_source=letter` },
    { how: "a dot segment at the end", target: `${inner}/.` },
    { how: "two slashes at the end", target: `${inner}//` },
    { how: "three slashes before", target: `//${inner || "/"}` },
    { how: "up and down again", target: `/x/..${inner || "/"}` },
    { how: "up at the end", target: `${inner}/x/..` },
    { how: "above the root", target: `/..${inner || "/"}` },
    { how: "an encoded dot segment", target: `/%2e${inner || "/"}` },
    { how: "INDEX.HTML", target: `${inner}/INDEX.HTML` },
    { how: "a slash and a query", target: `${inner}/?utm_source=letter` },
    { how: "index.html and a query", target: `${inner}/index.html?utm_source=letter` },
    { how: "capitals, a slash and a query", target: `${inner.toUpperCase()}/?a=b` },
    { how: "an empty query", target: `${path}?` },
    { how: "a query of two", target: `${path}?a=b&a=c` },
    { how: "a query of nothing", target: `${path}?&&=` },
    { how: "a name without value", target: `${path}?fbclid` },
    { how: "an encoded query", target: `${path}?%F0%9F%8D%81=1` },
    { how: "1,000 letters of query", target: `${path}?${"q".repeat(1_000)}` },
  ];
  const others = spellings.filter(
    ({ target }, index) =>
      target !== path && spellings.findIndex((other) => other.target === target) === index,
  );
  return others.slice(0, spellingsMax);
}
