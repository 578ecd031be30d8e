/** An address that nobody has written from: the tests of a file share a server. */
export function newAddress(): string {
  return `${crypto.randomUUID()}@reyes.example`;
}
