import { getPriority, setPriority } from "node:os";

/**
 * Beside a running site a command takes what visitors leave of the processors: loading its program alone takes half a second
 * of one. A tenth is its own whatever they do, so that it never keeps a lock for long.
 */
const priority = 10;

// Before anything is loaded. Whoever has called it with less keeps that: more is the superuser's to give.
if (getPriority() < priority) setPriority(priority);
const [{ loadEnvironment }, { runSite }] = await Promise.all([
  import("#server/settings.ts"),
  import("./run-site.ts"),
]);

// A reader that has seen enough (`| head`) is no failure, and nobody is left to hear of one.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    if (stream === process.stdout)
      process.stderr.write(`The answer can't be written: ${error.message}.\n`);
    process.exit(1);
  });
}

process.exitCode = await runSite(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: loadEnvironment(),
});
