import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { spawnCommand } from "../../site-commands.ts";
import { type Scene, withScene } from "../scene.ts";
import { beginReport, type FaultReport, type FaultSize } from "./fault-report.ts";

/** Two servers and the operator's commands work on one SQLite file at once, and one of the servers is killed. */
export async function severalProcesses(size: FaultSize): Promise<FaultReport> {
  return await withScene({ ...size, servers: 2 }, async (scene) => {
    const report = await beginReport(
      "two servers and the command line on one SQLite file",
      scene,
      size,
    );
    let commands = 0;
    for (let round = 0; round < size.injections; round += 1) {
      const end = performance.now() + size.lastsMs;
      const lasts = report.during(size.lastsMs);
      do {
        commands += await runCommands(scene);
      } while (performance.now() < end);
      await lasts;
      await scene.servers[1]?.kill();
      await scene.servers[1]?.start();
      await report.after();
    }
    return await report.end([`commands: ${commands}, none failed`]);
  });
}

/** Each kind of command: one that writes a row, one that writes many, two that read, one that copies everything. */
async function runCommands(scene: Scene): Promise<number> {
  const name = randomUUID();
  const file = (ending: string) => path.join(scene.dataDir, `${name}.${ending}`);
  const imported = `imported-${name}@readers.example`;
  await writeFile(file("md"), `---\ntitle: Issue ${name}\n---\nWords.\n`);
  await writeFile(file("csv"), `email\n${imported}\n`);
  const lines = [
    ["issues", "publish", file("md")],
    ["subscribers", "import", file("csv"), "--consent", "Ticked at the fair."],
    ["messages", "list", "--json"],
    ["outbox", "list", "--json"],
    ["db", "backup", file("backup.sqlite")],
  ];
  for (const line of lines) {
    const run = await spawnCommand(line, { env: scene.settings });
    if (run.exitCode !== 0) throw new Error(`site ${line.join(" ")}: ${run.stdout}${run.stderr}`);
  }
  const kept = await scene.inDatabase(({ db }) =>
    db.selectFrom("subscribers").select("id").where("email", "=", imported).execute(),
  );
  if (kept.length !== 1) throw new Error(`${imported} was imported and is not there.`);
  return lines.length;
}
