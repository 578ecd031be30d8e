/** Numbers from 0 up to 1, the same ones for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const columns = ["id", "title", "content_markdown", "publish_date"];
const values: Record<string, (at: number) => string> = {
  id: (at) => String(at * 97),
  title: (at) => `No. ${at}: ${"the phone that nobody answers ".repeat(at % 18)}`,
  content_markdown: (at) => "<p>".repeat(at % 150),
  publish_date: (at) => `20${String(10 + (at % 90))}-0${1 + (at % 9)}-1${at % 10}`,
};

/**
 * Query strings of the REST table by its grammar, the same ones for the same seed: right ones, and right ones with one
 * part made too many, too long or broken. For searching out what costs most.
 */
export function* restQueries(seed: number): Generator<string> {
  const random = seededRandom(seed);
  const below = (count: number) => Math.floor(random() * count);
  const oneOf = <Item>(items: readonly Item[]) => items[below(items.length)] as Item;
  const shuffled = <Item>(items: readonly Item[]) =>
    items
      .map((item) => ({ item, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  const some = <Item>(items: readonly Item[]) => shuffled(items).slice(0, 1 + below(items.length));
  const head = () => oneOf(["id", "title", "publish_date"]);
  const value = (column: string) => values[column]?.(below(200)) ?? "";

  const filter = (column = head()): string => {
    const not = oneOf(["", "not."]);
    const operator = oneOf(["eq", "neq", "gt", "gte", "lt", "lte", "in", "in", "is"]);
    if (operator === "is") return `${column}=${not}is.${oneOf(["null", "not_null"])}`;
    if (operator !== "in")
      return `${column}=${not}${operator}.${encodeURIComponent(value(column))}`;
    const list = Array.from({ length: 1 + below(100) }, () => `"${value(column)}"`);
    return `${column}=${not}in.(${encodeURIComponent(list.join())})`;
  };
  const term = (column: string) =>
    `${column}${oneOf(["", ".asc", ".desc"])}${oneOf(["", ".nullsfirst", ".nullslast"])}`;
  const select = () =>
    oneOf([
      "*",
      some(columns).join(),
      some(columns)
        .map((column) => `${oneOf(["a", "é", "name".repeat(15)])}:${column}`)
        .join(),
    ]);
  const right = (): string[] => [
    ...(random() < 0.8 ? [`select=${select()}`] : []),
    ...(random() < 0.7 ? [`order=${some(["id", "title", "publish_date"]).map(term).join()}`] : []),
    ...Array.from({ length: below(9) }, () => filter()),
    ...(random() < 0.4 ? [`limit=${oneOf([1, 20, 90, 1_000, 5_000])}`] : []),
    ...(random() < 0.3 ? [`offset=${oneOf([1, 500, 9_000, 1e15])}`] : []),
  ];
  const wrong = (): string => {
    const count = 1 + below(2_000);
    switch (below(9)) {
      case 0:
        return `select=${Array.from({ length: count }, (_, at) => `a${at}:${oneOf(columns)}`)}`;
      case 1:
        return `select=${`${oneOf(["*", "id", "a:title"])},`.repeat(count)}id`;
      case 2:
        return `order=${`${oneOf(columns)}${oneOf(["", ".desc"])},`.repeat(count)}`;
      case 3:
        return `${oneOf(["select", "order"])}=a${oneOf(["+", "(", '"', ":", "\\", "!", "%20"]).repeat(count)}!`;
      case 4:
        return Array.from({ length: below(200) }, () => filter()).join("&");
      case 5:
        return filter("content_markdown");
      case 6:
        return `title=in.(${oneOf(['"', "(", "\\", ",", "%00"]).repeat(count)}`;
      case 7:
        return `id=${oneOf(["eq", "in"])}.${oneOf(["9", " ", "(", "-"]).repeat(count)}`;
      default:
        return `publish_date=eq.${oneOf(["2026-11-21T", "0", ":"]).repeat(count)}`;
    }
  };
  for (;;) {
    const parts = right();
    if (random() < 0.4) parts.push(wrong());
    yield shuffled(parts).join("&");
  }
}
