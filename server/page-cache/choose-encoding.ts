import { type Encoding, encodings } from "./kept-answer.ts";

/** Header values seen in practice are few, so each is read once. Bounded, since a client may send anything. */
const chosen = new Map<string, Encoding>();
const chosenMaxEntries = 200;

/**
 * The encoding to answer with, smallest first among those that the client accepts (RFC 9110, section 12.5.3).
 * Without the header, identity.
 */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  if (!acceptEncoding) return "identity";
  const known = chosen.get(acceptEncoding);
  if (known) return known;
  const choice = choose(acceptEncoding);
  if (chosen.size >= chosenMaxEntries) chosen.clear();
  chosen.set(acceptEncoding, choice);
  return choice;
}

function choose(acceptEncoding: string): Encoding {
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.toLowerCase().split(",")) {
    const [name = "", ...parameters] = part.split(";").map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const accepts = (encoding: Encoding) => (weights.get(encoding) ?? weights.get("*") ?? 0) > 0;
  return encodings.find((encoding) => encoding !== "identity" && accepts(encoding)) ?? "identity";
}
