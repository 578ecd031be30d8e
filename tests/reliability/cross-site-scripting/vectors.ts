import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** One piece of hostile markup, and the name it has in the corpus: its group and a number. */
export type Vector = { id: string; html: string };

const corpus = path.join(import.meta.dirname, "../../fixtures/cross-site-scripting");

/** Every vector of the corpus. The first line of each file names its source, each other line is a vector. */
export function readVectors(): Vector[] {
  const files = readdirSync(corpus).filter((name) => name.endsWith(".jsonl"));
  return files.toSorted().flatMap((name) => {
    const [, ...lines] = readFileSync(path.join(corpus, name), "utf8").trimEnd().split("\n");
    return lines.map((line): Vector => JSON.parse(line));
  });
}
