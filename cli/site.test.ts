import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { getPriority } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { beforeEach, expect, it } from "vitest";
import { openStore } from "#newsletter/open-store.ts";
import { runCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";
import { until } from "#tests/until.ts";
import { sendMessage } from "#tests/visitors.ts";

const folder = folderForEachTest();
const site = path.join(import.meta.dirname, "site.ts");
let env: Record<string, string>;

beforeEach(async () => {
  env = { DATA_DIR: path.join(folder.path, "data") };
});

it("publishes Markdown from standard input, and takes what visitors leave of the processors", async () => {
  const args = ["issues", "publish", "-", "--format", "markdown", "--date", "2026-01-02"];
  const set = { ...process.env, ...env, SITE_URL: "https://www.example.com" };
  const command = spawn(process.execPath, [site, ...args], { env: set });
  const [printed, errors] = [text(command.stdout), text(command.stderr)];
  const ended = once(command, "exit");
  await until(() => getPriority(command.pid) === Math.max(10, getPriority()));
  command.stdin.end("# From a pipe\n\nWords <script>x()</script>\n");
  expect([await ended, await errors]).toEqual([[0, null], ""]);
  const stdout = await printed;
  expect(stdout).toMatch(/^Published as issue 4\.$/m);
  expect(stdout).toContain("https://www.example.com/newsletter/4");
  expect(stdout).toContain("1 × script element");
  expect(stdout).toContain("From a pipe");
  // No colours in a pipe.
  expect(stdout).not.toContain("\u001b");
});

it("refuses a file that isn't UTF-8 or is over the limit, and ends with 2", async () => {
  const latin = path.join(folder.path, "latin.html");
  await writeFile(latin, Buffer.from("<p>one</p>\n<p>caf\xe9</p>\n", "latin1"));
  const picture = path.join(folder.path, "picture.md");
  await writeFile(picture, Buffer.from("\x89PNG\r\n\x1a\n\0\0", "latin1"));
  const large = path.join(folder.path, "large.html");
  await writeFile(large, "<p>x</p>".repeat(500_001));
  for (const [file = "", words = ""] of [
    [latin, `${latin}:2: is not UTF-8`],
    [picture, `${picture}: is no text.`],
    [large, "larger than the limit of 4 MB"],
  ]) {
    const run = await runCommand(["issues", "publish", file, "--title", "T"], { env });
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toContain(words);
  }
});

it("is quiet when its reader has seen enough", async () => {
  const store = await openStore({ dataDir: env.DATA_DIR ?? "", databaseUrl: null });
  for (let n = 0; n < 40; n += 1) await sendMessage(store.db, { message: "x".repeat(9_000) });
  await store.close();
  const child = spawn(process.execPath, [site, "messages", "export"], {
    env: { ...process.env, ...env },
  });
  child.stdout.once("data", () => child.stdout.destroy());
  const [errors, [exitCode]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  expect({ exitCode, errors }).toEqual({ exitCode: 0, errors: "" });
});

it("finds a file from the folder where npm was called", async () => {
  await writeFile(path.join(folder.path, "issue.html"), "<p>Words</p>");
  const calledByNpm = { ...env, npm_lifecycle_event: "site", INIT_CWD: folder.path };
  const args = ["issues", "publish", "issue.html", "--title", "T"];
  expect((await runCommand(args, { env: calledByNpm })).exitCode).toBe(0);
});

it("refuses to back up into a missing folder, into the database itself, and what isn't there", async () => {
  const missing = await runCommand(["db", "backup", path.join(folder.path, "x")], { env });
  expect(missing).toMatchObject({ exitCode: 1, stdout: "" });
  await runCommand(["db", "migrate"], { env });
  const run = await runCommand(["db", "backup", path.join(folder.path, "no", "x")], { env });
  expect(run.exitCode).toBe(2);
  expect(run.stderr).toContain(`There is no folder ${path.join(folder.path, "no")}.`);
  const source = path.join(env.DATA_DIR ?? "", "chalkline.sqlite");
  expect((await runCommand(["db", "backup", source, "--force"], { env })).exitCode).toBe(2);
  expect((await runCommand(["issues", "list"], { env })).exitCode).toBe(0);
});
