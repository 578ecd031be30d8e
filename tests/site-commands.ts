import { Readable, Writable } from "node:stream";

type CommandRun = { exitCode: number; stdout: string; stderr: string };

type RunOptions = {
  env?: Record<string, string>;
  stdin?: string;
  /** A terminal of this many columns in place of a pipe. */
  columns?: number;
};

/** Runs an operator's command in this process, with settings from `env` alone. */
export async function runCommand(
  commandLine: string[],
  { env = {}, stdin = "", columns }: RunOptions = {},
): Promise<CommandRun> {
  // All of the backend, which takes a second to load: only for the tests that run a command.
  const { runSite } = await import("#cli/run-site.ts");
  const stdout = collector(columns);
  const stderr = collector(columns);
  const exitCode = await runSite(commandLine, {
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
    environment: env,
  });
  return { exitCode, stdout: stdout.text(), stderr: stderr.text() };
}

function collector(columns?: number) {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  const terminal = columns === undefined ? {} : { isTTY: true, columns };
  return {
    stream: Object.assign(stream, terminal),
    text: () => Buffer.concat(chunks).toString(),
  };
}
