import { type Encoding, encodings } from "./cached-response.ts";

/** Header values seen in practice are few, so each is read once. Bounded, since a client may send anything. */
const read = new Map<string, (encoding: Encoding) => boolean>();
const readMaxEntries = 200;

/**
 * The encoding to answer with, the first among those offered that the client accepts (RFC 9110, section 12.5.3); by
 * default the smallest. Without the header, identity.
 */
export function chooseEncoding(
  acceptEncoding: string | undefined,
  offered: readonly Encoding[] = encodings,
): Encoding {
  if (!acceptEncoding) return "identity";
  const accepts = accepted(acceptEncoding);
  return offered.find((encoding) => encoding !== "identity" && accepts(encoding)) ?? "identity";
}

function accepted(acceptEncoding: string): (encoding: Encoding) => boolean {
  const known = read.get(acceptEncoding);
  if (known) return known;
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const any = weights.get("*") ?? 0;
  const names = new Set(encodings.filter((encoding) => (weights.get(encoding) ?? any) > 0));
  const accepts = (encoding: Encoding) => names.has(encoding);
  if (read.size >= readMaxEntries) read.clear();
  read.set(acceptEncoding, accepts);
  return accepts;
}
