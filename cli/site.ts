import { loadEnvironment } from "#server/config.ts";
import { runSite } from "./run-site.ts";

// A reader that has seen enough (`| head`) is no failure, and nobody is left to hear of one.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(0);
    throw error;
  });
}

process.exitCode = await runSite(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  environment: loadEnvironment(),
});
