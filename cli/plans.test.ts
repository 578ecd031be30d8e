import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { torontoDay } from "#content/toronto-time.ts";
import { openDatabase } from "#db/open-database.ts";
import { findPicture, picturePath } from "#newsletter/pictures.ts";
import { carryOutDuePlans } from "#operator/plans.ts";
import { sendingEnvironment } from "#tests/sends/sending-environment.ts";
import { addSubscribers } from "#tests/sends/subscribers.ts";
import { runCommand } from "#tests/site-commands.ts";
import { folderForEachTest } from "#tests/test-folder.ts";
import { configOf } from "#tests/test-server.ts";

const folder = folderForEachTest();
const day = torontoDay(Date.now()).add({ days: 20 });
const png = Buffer.from("\u0089PNG\r\n\u001a\nA pier in frost", "latin1");

const env = () => ({ ...sendingEnvironment, DATA_DIR: path.join(folder.path, "data") });

async function site(...commandLine: string[]) {
  return await runCommand(commandLine, { env: env() });
}

async function writeIssue(frontMatter = ""): Promise<string> {
  const file = path.join(folder.path, "piers.md");
  await mkdir(folder.path, { recursive: true });
  await writeFile(path.join(folder.path, "pier.png"), png);
  await writeFile(file, `---\ntitle: Piers\n${frontMatter}---\n\n![A pier](pier.png) Frost.\n`);
  return file;
}

it("publishes a file at an hour, and sends it, with its pictures", async () => {
  const file = await writeIssue();
  await site("db", "migrate");
  const open = await openDatabase({ dataDir: env().DATA_DIR, databaseUrl: null });
  await addSubscribers(open.db, 3);
  const plan = ["issues", "publish", file, "--at", `${day} 07:00`, "--send"];
  const unasked = await site(...plan);
  expect(unasked.stderr).toContain(
    `Publish "Piers" at ${day} 07:00 and send it to 3 subscribers? Nobody can be asked here: add --yes`,
  );
  const planned = JSON.parse((await site(...plan, "--yes", "--json")).stdout);
  expect(planned).toMatchObject({ plan: 1, sends: true, title: "Piers" });
  expect((await site("plans", "list")).stdout).toMatch(
    new RegExp(`1 +${planned.draft} +Piers +published and sent on ${day} 07:00`),
  );
  const issues = JSON.parse((await site("issues", "list", "--json")).stdout).issues;
  expect(issues).not.toContainEqual(expect.objectContaining({ title: "Piers" }));

  const moved = await site("plans", "move", "1", "--at", `${day} 09:00`);
  expect(moved.stdout).toBe(`Plan 1 is carried out at ${day} 09:00 in Toronto.\n`);
  const now = new Date(day.toZonedDateTime("America/Toronto").add({ hours: 9 }).epochMilliseconds);
  expect(await carryOutDuePlans({ db: open.db, config: configOf(env()), now })).toMatchObject([
    { issue: 4, send: 1 },
  ]);
  const shown = JSON.parse((await site("issues", "show", "4", "--json")).stdout);
  expect(shown).toMatchObject({ title: "Piers", publishDate: String(day) });
  const picture = picturePath({ bytes: png, type: "image/png" });
  expect(await findPicture(open.db, picture)).toMatchObject({ sizeBytes: png.length });
  await open.close();
  expect((await site("plans", "list")).stdout).toContain("Nothing is planned.");
  expect((await site("sends", "show", "1")).stdout).toMatch(/To go +3/);
});

it("asks for the hour of a file whose date lies ahead, and puts nothing on the site before", async () => {
  const file = await writeIssue(`date: ${day}\n`);
  const refused = await site("issues", "publish", file);
  expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
  expect(refused.stderr).toContain(`Its date, ${day}, lies ahead. Say the hour with --at "${day}`);
  const planned = await site("issues", "publish", file, "--at", `${day} 07:00`);
  expect(planned.stdout).toContain(`the running site publishes it at ${day} 07:00. Until then`);
  expect((await site("issues", "list")).stdout).not.toContain("Piers");
  expect((await site("plans", "cancel", "1")).stdout).toContain("Its text stays as draft 1");
  expect((await site("plans", "cancel", "1")).stderr).toContain("There is no plan 1.");
});

it("refuses hours and settings with which nothing can go out", async () => {
  const file = await writeIssue();
  const publish = (...more: string[]) => site("issues", "publish", file, ...more);
  expect((await publish("--send")).stderr).toContain("--send goes with --at.");
  expect((await publish("--at", "2020-01-01 07:00")).stderr).toContain("is over in Toronto");
  expect((await publish("--at", "2101-01-01 07:00")).stderr).toContain("more than a year ahead");
  expect((await site("plans", "list", "--json")).stdout).toBe('{\n  "plans": []\n}\n');
});
