// Measures the built site and writes the results to the terminal and into docs/performance.md.
//
//   npm run bench                       everything
//   npm run bench -- NAME …             only these measurements
//   npm run bench -- NAME --print       to the terminal alone, for a trial
//   npm run bench -- --list             their names
import path from "node:path";
import { describeMachine } from "./machine.ts";
import { asText, type Measurement } from "./measurement.ts";
import { measurements } from "./measurements.ts";
import { writeIntoReport } from "./report-file.ts";

const report = path.join(import.meta.dirname, "..", "docs", "performance.md");

// What a measurement has started ends with it, also where somebody stops it.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

const isTrial = process.argv.includes("--print");
const asked = process.argv.slice(2).filter((word) => word !== "--print");
if (asked.includes("--list")) {
  console.log(measurements.map(({ name }) => name).join(", "));
} else {
  process.exitCode = (await runAsked(asked)) ? 0 : 1;
}

/** Runs what was asked for, one at a time, since two measurements at once measure each other. */
async function runAsked(names: string[]): Promise<boolean> {
  const known = measurements.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    console.error(`No measurement is called ${unknown.join(", ")}. Known: ${known.join(", ")}.`);
    return false;
  }
  const chosen = measurements.filter(({ name }) => names.length === 0 || names.includes(name));
  let succeeded = true;
  for (const measurement of chosen) succeeded = (await runOne(measurement)) && succeeded;
  return succeeded;
}

async function runOne(measurement: Measurement): Promise<boolean> {
  console.log(`\n== ${measurement.name}`);
  try {
    const tables = await measurement.run({ say: (line) => console.log(`   ${line}`) });
    for (const table of tables) console.log(`\n${asText(table)}`);
    if (isTrial) return true;
    const takenOn = new Date().toISOString().slice(0, 10);
    writeIntoReport(report, {
      name: measurement.name,
      tables,
      takenOn,
      machine: describeMachine(),
    });
    return true;
  } catch (error) {
    console.error(`${measurement.name} could not be measured:`, error);
    return false;
  }
}
