import { stat } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";

const folder = folderForEachTest();

it("makes a new SQLite database private, with the starter issues, and migrates it once", async () => {
  const env = { DATA_DIR: path.join(folder.path, "data") };
  const migrate = async () =>
    JSON.parse((await runCommand(["db", "migrate", "--json"], { env })).stdout);
  const first = await migrate();
  expect(first.migrated).not.toEqual([]);
  expect(first.starterIssues).toBeGreaterThan(0);
  expect((await stat(env.DATA_DIR)).mode & 0o777).toBe(0o700);
  expect((await stat(first.location)).mode & 0o777).toBe(0o600);
  expect(await migrate()).toMatchObject({ migrated: [], starterIssues: 0 });
});

describe("a command used wrongly", () => {
  it.each([
    [["issues", "remove", "x"], "Give a whole number"],
    [["isues"], "unknown command"],
    [["issues"], "publish [options] <file>"],
    [["issues", "list", "--what"], "unknown option"],
    [["subscribers", "list", "--limit", "0"], "Give a whole number"],
    [["subscribers", "import", "x.csv"], "x.csv: no such file."],
    [["issues", "send", "1", "--at", "2026-11-30 7:30"], "such as 2026-11-30 07:30"],
    [["issues", "send", "1", "--at", "2027-03-14 02:00"], "2027-03-14 03:00 would do"],
    [["subscribers", "list", "--state", "left"], "Allowed choices are unconfirmed"],
    [["subscribers", "erase", "nobody", "--yes"], "is not an email address"],
  ])("%j ends with 2 and says why", async (commandLine, words) => {
    const env = { DATA_DIR: folder.path };
    const plain = await runCommand(commandLine, { env });
    expect(plain).toMatchObject({ exitCode: 2, stdout: "" });
    expect(plain.stderr).toContain(words);
    const forPrograms = await runCommand([...commandLine, "--json"], { env });
    expect(forPrograms).toMatchObject({ exitCode: 2, stderr: "" });
    expect(JSON.parse(forPrograms.stdout).error.message).toEqual(expect.any(String));
  });

  it("lists every mistake of the settings", async () => {
    const env = { PORT: "x", SITE_URL: "nowhere" };
    const { exitCode, stderr } = await runCommand(["issues", "list"], { env });
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/SITE_URL .*\n.*PORT /s);
  });
});

describe("help", () => {
  it("names every command, and says of each what it does and takes", async () => {
    const commandsIn = async (...words: string[]) => {
      const { stdout } = await runCommand([...words, "--help"]);
      const [, listed = ""] = stdout.split("Commands:\n");
      return [...listed.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = ""]) => [...words, name]);
    };
    const leaves = [];
    for (const group of await commandsIn()) {
      const commands = await commandsIn(...group);
      leaves.push(...(commands.length > 0 ? commands : [group]));
    }
    expect(leaves.map((words) => words.join(" "))).toEqual([
      ...["issues publish", "issues send", "issues update", "issues list", "issues import"],
      ...["issues remove", "sends show", "sends pause", "sends resume", "messages export"],
      ...["subscribers list", "subscribers export", "subscribers import", "subscribers erase"],
      ...["db migrate", "db backup", "db restore", "db copy"],
      ...["desk invite", "doctor"],
    ]);
    for (const words of leaves) {
      const { exitCode, stdout, stderr } = await runCommand([...words, "--help"]);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(stdout).toMatch(/^Usage: .+\n\n[A-Z][\s\S]+\n {2}--json {2}/);
    }
  });
});
