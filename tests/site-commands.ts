import { Readable, Writable } from "node:stream";

type CommandRun = { exitCode: number; stdout: string; stderr: string };

type RunOptions = {
  env?: Record<string, string>;
  stdin?: string;
};

/** Runs an operator's command in this process, with settings from `env` alone. */
export async function runCommand(
  commandLine: string[],
  { env = {}, stdin = "" }: RunOptions = {},
): Promise<CommandRun> {
  // All of the backend, which takes a second to load: only for the tests that run a command.
  const { runSite } = await import("#cli/run-site.ts");
  const [stdout, stderr] = [collector(), collector()];
  const exitCode = await runSite(commandLine, {
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    environment: env,
  });
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

function collector() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}
