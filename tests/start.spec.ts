import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { endProcess } from "./end-process.ts";
import { freePort } from "./free-port.ts";
import { bareEnvironment } from "./site-server.ts";
import { expect, test } from "./site-test.ts";
import { startProgram } from "./start-program.ts";

const projectRoot = path.join(import.meta.dirname, "..");

/** Runs a command in a terminal of its own, by util-linux's `script`. */
async function runInTerminal(
  command: string,
  { folder, env }: { folder: string; env: Record<string, string> },
) {
  await mkdir(folder, { recursive: true });
  const child = spawn("script", ["-qefc", command, "/dev/null"], {
    cwd: projectRoot,
    env,
    // Its own group, as a terminal's window is.
    detached: true,
    stdio: ["pipe", "pipe", "inherit"],
  });
  // A test that fails leaves it to the end of its worker.
  process.once("exit", () => child.kill("SIGKILL"));
  let said = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  return { child, said: () => said };
}

/** Starts the server as `npm start` does, and gives how it ended and what it said. */
async function startAndFail(settings: Record<string, string>) {
  const server = spawn(process.execPath, ["server/start.mjs"], {
    cwd: projectRoot,
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
    DKIM_SELECTOR: "mail2026",
  });
  expect(exitCode).toBe(78);
  expect(said).toContain("The settings have 5 mistakes, so the site did not start:");
  expect(said).toMatch(/- PORT must be .* For example: 3000/);
  for (const name of ["SITE_URL must be", "SMTP_URL must be", "DKIM_DOMAIN", "DKIM_KEY_FILE"])
    expect(said).toContain(`- ${name}`);
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

test("npm start in a terminal opens site and desk, says so in a line each, and a closed window ends both", async ({
  site: _running,
}, info) => {
  const ports = { PORT: String(await freePort()), DESK_PORT: String(await freePort()) };
  const folder = info.outputPath("terminal");
  const env = { ...bareEnvironment, ...ports, DATA_DIR: path.join(folder, "data") };
  const { child, said } = await runInTerminal("node scripts/start.mjs", { folder, env });
  await expect.poll(said).toMatch(/ends both\.\r?\n/);
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
  await expect.poll(() => isUp(ports.DESK_PORT)).toBe(false);
  await expect.poll(() => isUp(ports.PORT)).toBe(false);
});

test("npm start says so where the site ends by itself, and ends the desk", async ({
  site: _running,
}, info) => {
  const ports = { PORT: String(await freePort()), DESK_PORT: String(await freePort()) };
  const env = { ...bareEnvironment, ...ports, DATA_DIR: info.outputPath("data") };
  let said = "";
  const hear = (text: string) => (said += text);
  const { child } = await startProgram(["scripts/start.mjs", "--desk"], env, /desk is open/, hear);
  const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8");
  process.kill(Number.parseInt(children, 10), "SIGKILL");
  await once(child, "close");
  expect(said).toContain("The site has ended. Start it and the desk again by npm start.");
});

test("npm start with --site serves the site alone, in a terminal too", async ({
  site: _running,
}, info) => {
  const folder = info.outputPath("terminal");
  const env = { ...bareEnvironment, PORT: "0", DATA_DIR: path.join(folder, "data") };
  const { child, said } = await runInTerminal("node scripts/start.mjs --site", { folder, env });
  await expect.poll(said).toContain("Stop:              Ctrl+C");
  expect(said()).not.toContain("desk is open");
  await endProcess(child);
});
