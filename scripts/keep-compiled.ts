// Starts the site and a command once, so that what they compile is kept in node_modules/.cache for those that may write
// nothing there: the copies of a release. For the last step of making one, as the user that they run as, before it has an
// .env: nobody's settings count, and the data is an empty folder's.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const projectRoot = path.join(import.meta.dirname, "..");
const startedWithinMs = 60_000;

if (existsSync(path.join(projectRoot, ".env"))) {
  throw new Error("There is an .env here, whose settings this start would run with.");
}
const data = mkdtempSync(path.join(tmpdir(), "chalkline-compiled-"));
try {
  const start = await run("start");
  if (!start.includes("Chalkline is running")) throw new Error(`The site did not start:\n${start}`);
  await run("run", "--silent", "site", "--", "--help");
} finally {
  rmSync(data, { recursive: true, force: true });
}

/** What it said. A server is stopped as soon as it runs. */
async function run(...words: string[]): Promise<string> {
  const { PATH, HOME } = process.env;
  const program = spawn("npm", words, {
    cwd: projectRoot,
    env: { PATH, HOME, DATA_DIR: data, HOST: "127.0.0.1", PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: startedWithinMs,
  });
  let said = "";
  for (const stream of [program.stdout, program.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      if (text.includes("Chalkline is running")) program.kill("SIGTERM");
    });
  }
  await once(program, "close");
  return said;
}
