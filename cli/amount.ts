export function number(value: number): string {
  return value.toLocaleString("en-CA");
}

/** `1 reader`, `2 readers`. */
export function amount(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}
