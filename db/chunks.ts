/**
 * Splits items into arrays; the default size is well below a statement's limit of parameters (SQLite 32,766, PostgreSQL
 * 65,535).
 */
export function* chunks<Item>(items: Iterable<Item>, size = 500): Generator<Item[]> {
  let chunk: Item[] = [];
  for (const item of items) {
    chunk.push(item);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
