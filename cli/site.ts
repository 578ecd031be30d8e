import { getPriority, setPriority } from "node:os";

// Visitors come first: loading a command's program alone takes half a second of a processor.
const priority = 10;

if (getPriority() < priority) setPriority(priority);
const [{ loadEnvironment }, { runSite }] = await Promise.all([
  import("#settings/settings.ts"),
  import("./run-site.ts"),
]);

// A closed pipe (`| head`) is no failure.
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
