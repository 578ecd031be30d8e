import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import path from "node:path";

const report = path.join(import.meta.dirname, "../docs/performance.md");

/** A result. `note` says the conditions and what is to hold. */
export type Table = { title: string; note: string; columns: string[]; rows: string[][] };

export function asMarkdown({ title, note, columns, rows }: Table): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  const memoryGiB = (totalmem() / 2 ** 30).toFixed(0);
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), ${memoryGiB} GiB, Node ${process.versions.node}`;
  // Over five minutes: with nothing else on the machine it stays below the cores' number.
  const load = loadavg()[1]?.toFixed(0);
  const taken = `${new Date().toISOString().slice(0, 10)}, ${machine}, load ${load}.`;
  const table = [line(columns), line(columns.map(() => "---")), ...rows.map(line)].join("\n");
  return `### ${title}\n${taken} ${note}\n\n${table}`;
}

/** Replaces what stands between `<!-- bench:NAME -->` and `<!-- /bench:NAME -->`. */
export function writeIntoReport(name: string, text: string): void {
  const before = readFileSync(report, "utf8");
  const section = new RegExp(`(?<=<!-- bench:${name} -->\n).*(?=\n<!-- /bench:${name} -->)`, "s");
  if (!section.test(before)) throw new Error(`docs/performance.md has no section for ${name}.`);
  writeFileSync(
    report,
    before.replace(section, () => text),
  );
}
