/** `12,345`. */
export function number(value: number): string {
  return value.toLocaleString("en-CA");
}

/** `$12,345`. */
export function dollars(value: number): string {
  return `$${number(Math.round(value))}`;
}

/** `1 subscriber`, `2 subscribers`. */
export function amount(value: number, one: string, many = `${one}s`): string {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** `40 s`, `12 min`, `3 h 20 min`, `2 days`: a length of time as one would say it. */
export function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  if (minutes < 90) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} days`;
}

/** `2 MB`, `1.5 kB`: a size in decimal units. */
export function formatBytes(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB", "TB"];
  const at = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${Number((bytes / 1000 ** at).toPrecision(3))} ${units[at]}`;
}
