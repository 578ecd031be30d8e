/** Every address of 127.0.0.0/8 is this machine's on Linux, so strangers and visitors each get their own. */
export const strangersAddress = "127.0.0.2";

/** The address of one stranger of many, by number. */
export function manyStrangers(n: number): string {
  return `127.${64 + ((n >> 16) & 63)}.${(n >> 8) & 255}.${1 + (n & 127)}`;
}

/** The address of one visitor, by number. */
export function visitorAddress(n: number): string {
  return `127.1.${(n >> 7) & 255}.${1 + (n & 127)}`;
}
