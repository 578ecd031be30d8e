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

/** A whole letter as a mail program exports it, with these words in its body. */
export function inDocument(html: string): string {
  return (
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "x"><html><head><title>Letter</title>' +
    `<style>p{}</style></head><body style="margin:0"><p>Before</p>${html}<p>After</p></body></html>`
  );
}

type Wrapping = { name: string; wrap: (html: string) => string };

/** The places in a stored issue at which a vector is tried besides standing by itself. */
export const wrappings: readonly Wrapping[] = [
  {
    name: "in a table",
    wrap: (html) =>
      `<table width="600"><tr><td style="padding:8px"><table><tr><td>${html}</td></tr></table></td></tr></table>`,
  },
  { name: "in an attribute", wrap: (html) => `<p title="${html}">x</p><p title='${html}'>y</p>` },
  {
    name: "in an escaped attribute",
    wrap: (html) => {
      const escaped = html
        .replaceAll("&", "&amp;")
        .replaceAll('"', "&quot;")
        .replaceAll("<", "&lt;");
      return `<img src="https://img.example/a.png" alt="${escaped}" title="${escaped}"><a href="${escaped}">x</a>`;
    },
  },
  { name: "in a list and a link", wrap: (html) => `<ul><li><a href="#x"><b>${html}</b></a></ul>` },
  { name: "after an open comment", wrap: (html) => `<!--[if mso]>${html}<![endif]-->${html}` },
  { name: "in foreign content", wrap: (html) => `<svg><title>${html}</title></svg>${html}` },
];
