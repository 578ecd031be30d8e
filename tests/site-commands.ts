import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";

/** Runs an operator's command in this process, with settings from `env` alone. */
export async function runCommand(
  commandLine: string[],
  { env = {}, stdin = "" }: { env?: Record<string, string>; stdin?: string } = {},
) {
  // All of the backend, which takes a second to load: only for the tests that run a command.
  const { runSite } = await import("#cli/run-site.ts");
  const outputs = { stdout: new PassThrough(), stderr: new PassThrough() };
  const said = Promise.all([text(outputs.stdout), text(outputs.stderr)]);
  const input = Readable.from([Buffer.from(stdin)]);
  const exitCode = await runSite(commandLine, { ...outputs, stdin: input, environment: env });
  for (const output of Object.values(outputs)) output.end();
  const [stdout, stderr] = await said;
  return { exitCode, stdout, stderr };
}
