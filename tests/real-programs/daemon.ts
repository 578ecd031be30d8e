import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { endProcess } from "../end-process.ts";
import { until } from "../until.ts";

export type Daemon = { stop(): Promise<unknown> };

/** Starts a program in the foreground, and waits until these ports of this machine take a connection. */
export async function startDaemon(
  command: string[],
  { ports, env = {} }: { ports: number[]; env?: Record<string, string> },
): Promise<Daemon & { signal(name: NodeJS.Signals): boolean }> {
  const [program = "", ...parameters] = command;
  const child: ChildProcess = spawn(program, parameters, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      said = `${said}${text}`.slice(-4_000);
    });
  }
  const ended = once(child, "exit");
  const isUp = await Promise.race([untilTaken(ports).then(() => true), ended.then(() => false)]);
  if (!isUp) throw new Error(`${command.join(" ")} did not start: ${said}`);
  return { stop: () => endProcess(child), signal: (name) => child.kill(name) };
}

/** Waits until these ports of this machine take a connection. */
export async function untilTaken(ports: number[]) {
  for (const port of ports) {
    await until(async () => (await isTaken(port, "127.0.0.1")) || (await isTaken(port, "::1")));
  }
}

export async function untilRefused(port: number) {
  await until(async () => !(await isTaken(port, "127.0.0.1")));
}

async function isTaken(port: number, host: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({ port, host })
    .once("connect", () => resolve(true))
    .once("error", () => resolve(false));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}
