import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, writeFile } from "node:fs/promises";
import { getPriority } from "node:os";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { submitMessage } from "#contact/messages.ts";
import { openStore } from "#server/open-store.ts";
import { contactMessage } from "#tests/contact-message.ts";
import { spawnCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";
import { until } from "#tests/until.ts";

const folder = folderForEachTest();
let env: Record<string, string>;

beforeEach(async () => {
  env = { DATA_DIR: path.join(folder.path, "data") };
});

it("publishes Markdown from standard input, and prints the issue's address and number", async () => {
  const args = ["issues", "publish", "-", "--format", "markdown", "--date", "2026-01-02"];
  const stdin = "# From a pipe\n\nWords <script>x()</script>\n";
  const withUrl = { ...env, SITE_URL: "https://www.example.com" };
  const run = await spawnCommand(args, { env: withUrl, stdin });
  expect(run).toMatchObject({ exitCode: 0, stderr: "" });
  expect(run.stdout).toMatch(/^Published as issue 4\.$/m);
  expect(run.stdout).toContain("https://www.example.com/newsletter/4");
  expect(run.stdout).toContain("1 × script element");
  expect(run.stdout).toContain("From a pipe");
  // No colours in a pipe.
  expect(run.stdout).not.toContain("\u001b");
});

it("refuses a file that isn't UTF-8, is over the limit, or isn't there, and ends with 2", async () => {
  const latin = path.join(folder.path, "latin.html");
  await writeFile(latin, Buffer.from("<p>one</p>\n<p>caf\xe9</p>\n", "latin1"));
  const large = path.join(folder.path, "large.html");
  await writeFile(large, "<p>x</p>".repeat(500_001));
  for (const [file, words] of [
    [latin, `${latin}:2: is not UTF-8`],
    [large, "larger than the limit of 4 MB"],
    ["missing.md", "missing.md: no such file."],
  ] as const) {
    const run = await spawnCommand(["issues", "publish", file, "--title", "T"], { env });
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toContain(words);
  }
});

it("publishes beside a process that writes all the time, and neither loses anything", async () => {
  const store = await openStore({ dataDir: env.DATA_DIR ?? "", databaseUrl: null });
  try {
    const file = path.join(folder.path, "issue.html");
    await writeFile(file, "<h2>Beside</h2><p>Words</p>");
    let sent = 0;
    let publishing = true;
    async function write(): Promise<void> {
      while (publishing) {
        const message = { ...contactMessage, message: `Number ${sent}` };
        const origin = { idempotencyKey: null, clientAddress: null };
        await submitMessage({ db: store.db, wakeOutbox() {} }, message, origin);
        sent += 1;
        await new Promise(setImmediate);
      }
    }
    const published = Promise.all(
      [1, 2, 3].map(() => spawnCommand(["issues", "publish", file, "--json"], { env })),
    ).finally(() => {
      publishing = false;
    });
    const [runs] = await Promise.all([published, write()]);
    expect(runs.map(({ exitCode, stderr }) => ({ exitCode, stderr }))).toEqual(
      runs.map(() => ({ exitCode: 0, stderr: "" })),
    );
    const ids = runs.map(({ stdout }) => JSON.parse(stdout).id).sort();
    expect(ids).toEqual([4, 5, 6]);
    const { rows } = await store.db
      .selectFrom("contact_messages")
      .select(({ fn }) => fn.countAll<number>().as("rows"))
      .executeTakeFirstOrThrow();
    expect(sent).toBeGreaterThan(0);
    expect(rows).toBe(sent);
  } finally {
    await store.close();
  }
});

it("is quiet when its reader has seen enough", async () => {
  const store = await openStore({ dataDir: env.DATA_DIR ?? "", databaseUrl: null });
  const message = { ...contactMessage, message: "x".repeat(9_000) };
  for (let sent = 0; sent < 40; sent += 1) {
    const origin = { idempotencyKey: null, clientAddress: null };
    await submitMessage({ db: store.db, wakeOutbox() {} }, message, origin);
  }
  await store.close();
  const site = path.join(import.meta.dirname, "site.ts");
  const child = spawn(process.execPath, [site, "messages", "export"], {
    env: { ...process.env, ...env },
  });
  child.stdout.once("data", () => child.stdout.destroy());
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const exitCode = await new Promise((resolve) => child.once("close", resolve));
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
});

it("finds a file from the folder where npm was called", async () => {
  await writeFile(path.join(folder.path, "issue.html"), "<p>Words</p>");
  const calledByNpm = { ...env, npm_lifecycle_event: "site", INIT_CWD: folder.path };
  const args = ["issues", "publish", "issue.html", "--title", "T", "--dry-run"];
  expect((await spawnCommand(args, { env: calledByNpm })).exitCode).toBe(0);
});

it("takes what visitors leave of the processors", async () => {
  const parameters = ["cli/site.ts", "issues", "publish", "-"];
  const command = spawn(process.execPath, parameters, { env: { ...process.env, ...env } });
  const ended = once(command, "exit");
  const lowered = () => getPriority(command.pid) === Math.max(10, getPriority());
  await until(lowered);
  command.stdin.end();
  await ended;
});

// Only Linux has a file that is always full.
it.runIf(process.platform === "linux")(
  "says that what it prints to is full, and ends with 1",
  async () => {
    const site = path.join(import.meta.dirname, "site.ts");
    const full = await open("/dev/full", "w");
    const child = spawn(process.execPath, [site, "issues", "list"], {
      env: { ...process.env, ...env },
      stdio: ["ignore", full.fd, "pipe"],
    });
    const errors: Buffer[] = [];
    child.stderr?.on("data", (chunk: Buffer) => errors.push(chunk));
    const [exitCode] = await once(child, "close");
    await full.close();
    expect(exitCode).toBe(1);
    expect(String(Buffer.concat(errors))).toMatch(
      /^The answer can't be written: ENOSPC: [^\n]*\n$/,
    );
  },
);
