import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { endProcess } from "./end-process.ts";
import { freePort } from "./free-port.ts";
import { runInTerminal } from "./in-terminal.ts";
import { patienceMs } from "./patience.ts";
import { bareEnvironment } from "./site-server.ts";
import { expect, test } from "./site-test.ts";

/** Starts the server as `npm start` does, and gives how it ended and what it said. */
async function startAndFail(settings: Record<string, string>) {
  const server = spawn(process.execPath, ["server/start.mjs"], {
    cwd: path.join(import.meta.dirname, ".."),
    env: { ...bareEnvironment, NODE_ENV: "production", ...settings },
  });
  let said = "";
  server.stdout.on("data", (chunk) => (said += chunk));
  server.stderr.on("data", (chunk) => (said += chunk));
  await once(server, "close");
  return { exitCode: server.exitCode, said };
}

test("mistakes in the settings are listed at once and nothing starts", async () => {
  const { exitCode, said } = await startAndFail({
    PORT: "eighty",
    SITE_URL: "www.example.com",
    SMTP_URL: "https://user:hunter2@mail.example.com",
  });
  expect(exitCode).toBe(78);
  expect(said).toContain("The settings have 3 mistakes, so the site did not start:");
  expect(said).toContain("- PORT must be");
  expect(said).toContain("- SITE_URL must be");
  expect(said).toContain("- SMTP_URL must be");
  expect(said).not.toContain("hunter2");
  expect(said).not.toContain("is running at");
});

test("a port that is taken ends in one clear line", async ({ site }) => {
  const { port } = new URL(site.url);
  const { exitCode, said } = await startAndFail({
    PORT: port,
    HOST: "127.0.0.1",
    DATA_DIR: site.dataDir,
    LOG_LEVEL: "silent",
  });
  expect(exitCode).toBe(1);
  expect(said.trim()).toBe(
    `Port ${port} is taken by another program. Set PORT to another, for example: PORT=3001 npm start`,
  );
});

test("SIGHUP, as a closed terminal sends it, ends the server that npm start began", async ({
  site: _running,
}, info) => {
  const starting = spawn(process.execPath, ["scripts/start.mjs"], {
    cwd: path.join(import.meta.dirname, ".."),
    env: { ...bareEnvironment, PORT: "0", DATA_DIR: info.outputPath("data") },
  });
  let said = "";
  starting.stdout.on("data", (chunk) => (said += chunk));
  await expect.poll(() => said, { timeout: patienceMs }).toContain("is running at");
  const [url = ""] = /http:\S+/.exec(said) ?? [];
  starting.kill("SIGHUP");
  await once(starting, "close");
  await expect(fetch(url)).rejects.toThrow();
});

test("npm start in a terminal opens site and desk, says so in a line each, and a closed window ends both", async ({
  site: _running,
}, info) => {
  const ports = { PORT: String(await freePort()), DESK_PORT: String(await freePort()) };
  const folder = info.outputPath("terminal");
  const env = { ...bareEnvironment, ...ports, DATA_DIR: path.join(folder, "data") };
  const { child, said } = await runInTerminal("node scripts/start.mjs", { folder, env });
  await expect.poll(said, { timeout: patienceMs }).toContain("ends both.");
  expect(said().split(/\r?\n/)).toEqual([
    `Chalkline is running at http://localhost:${ports.PORT}`,
    expect.stringContaining(`http://127.0.0.1:${ports.DESK_PORT}/open?token=`),
    "Closing this window, or Ctrl+C, ends both.",
    "",
  ]);
  const isUp = (port: string) =>
    fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
  expect([await isUp(ports.PORT), await isUp(ports.DESK_PORT)]).toEqual([true, true]);
  // The terminal's window goes, and with it the terminal.
  child.kill("SIGKILL");
  await expect.poll(() => isUp(ports.DESK_PORT), { timeout: patienceMs }).toBe(false);
  await expect.poll(() => isUp(ports.PORT), { timeout: patienceMs }).toBe(false);
});

for (const [how, words, more] of [
  ["--site", "node scripts/start.mjs --site", {}],
  ["NODE_ENV=production", "node scripts/start.mjs", { NODE_ENV: "production" }],
] as const) {
  test(`npm start with ${how} serves the site alone, in a terminal too`, async ({
    site: _running,
  }, info) => {
    const folder = info.outputPath("terminal");
    const env = { ...bareEnvironment, ...more, PORT: "0", DATA_DIR: path.join(folder, "data") };
    const { child, said } = await runInTerminal(words, { folder, env });
    await expect.poll(said, { timeout: patienceMs }).toContain("Stop:              Ctrl+C");
    expect(said()).not.toContain("desk is open");
    await endProcess(child);
  });
}

test("the start says what is not set yet and how to publish", async ({ site }) => {
  expect(site.output()).toContain("SITE_EMAIL");
  expect(site.output()).toContain("npm run site -- issues publish FILE");
});
