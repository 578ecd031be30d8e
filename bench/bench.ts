// Measures the built site, one measurement after the other, and writes the results into docs/performance.md.
//
//   npm run bench                       everything
//   npm run bench -- NAME …             only these
//   npm run bench -- NAME --print       to the terminal alone
//   npm run bench -- lighthouse /about  these pages alone
//   npm run bench -- first-press lighthouse /newsletter --quick
//                                       what a visitor feels, in about five minutes
import { desk } from "./desk.ts";
import { firstPress } from "./first-press.ts";
import { lighthouse } from "./lighthouse.ts";
import { asMarkdown, type Table, writeIntoReport } from "./report.ts";
import { slowLines } from "./slow-lines.ts";
import { throughput } from "./throughput.ts";
import { weight } from "./weight.ts";
import { writes } from "./writes.ts";

const measurements: Record<string, () => Promise<Table>> = {
  throughput,
  writes,
  weight,
  "first-press": firstPress,
  desk,
  "slow-lines": slowLines,
  lighthouse,
};

// Stopping the bench stops the servers that it has started.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const asked = process.argv.slice(2).filter((word) => !/^(?:--print|--quick|\/.*)$/.test(word));
const unknown = asked.filter((name) => !(name in measurements));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(", ")}. Known: ${Object.keys(measurements).join(", ")}.`);
  process.exit(1);
}
for (const [name, measure] of Object.entries(measurements)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n== ${name}`);
  const text = asMarkdown(await measure());
  console.log(text);
  if (!process.argv.includes("--print")) writeIntoReport(name, text);
}
