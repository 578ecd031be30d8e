import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const projectRoot = path.join(import.meta.dirname, "..", "..", "..");
const folders = [
  "api",
  "cli",
  "contact",
  "content",
  "contracts",
  "db",
  "issue-body",
  "mail",
  "newsletter",
  "server",
];
/** What stands beside them and is the same in both releases. */
const shared = ["node_modules", "public"];
/** The script that every page names, and the hash that it has in the next release. */
const pageScript = /^entry\.client-([\w-]+)\.js/;
const nextHash = "nextnext";

/** For so long the migration holds the tables of both forms. */
const migrationHoldsMs = 1_000;

/**
 * Adds a table, and a column to each table of the forms, as an update may; what the release before it writes goes on
 * being right. Holding the locks for a second stands for rows that have to be gone through.
 */
const migration = `
import { type Kysely, sql } from "kysely";
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`create table bench_notes (id bigint primary key, note text not null)\`.execute(db);
  await sql\`alter table subscribers add column bench_note text\`.execute(db);
  await sql\`alter table contact_messages add column bench_note text not null default ''\`.execute(db);
  await sql\`select pg_sleep(${migrationHoldsMs / 1_000})\`.execute(db);
}
`;

/**
 * A release of the site with one more migration than this one, in a folder of its own. Its pages name a script that this one
 * hasn't got; it has those of this one too, as `deploy/release.sh` sees to.
 */
export async function makeNextRelease(): Promise<{ root: string; remove(): Promise<void> }> {
  const root = await mkdtemp(path.join(tmpdir(), "chalkline-release-"));
  for (const folder of folders) {
    await cp(path.join(projectRoot, folder), path.join(root, folder), { recursive: true });
  }
  for (const name of shared) await symlink(path.join(projectRoot, name), path.join(root, name));
  await cp(path.join(projectRoot, "build"), path.join(root, "build"), { recursive: true });
  await renamePageScript(path.join(root, "build"));
  await cp(path.join(projectRoot, "package.json"), path.join(root, "package.json"));
  await writeFile(
    path.join(root, "db", "migrations", "2099-01-01T00-00-00-bench-notes.ts"),
    migration,
  );
  return { root, remove: () => rm(root, { recursive: true, force: true }) };
}

async function renamePageScript(build: string): Promise<void> {
  const assets = path.join(build, "client", "assets");
  const files = (await readdir(assets)).filter((name) => pageScript.test(name));
  const [, hash] = pageScript.exec(files[0] ?? "") ?? [];
  if (!hash) throw new Error("The build has no script that every page names.");
  // Its compressed forms with it.
  for (const file of files) {
    await cp(path.join(assets, file), path.join(assets, file.replace(hash, nextHash)));
  }
  const pages = path.join(build, "server", "index.js");
  const code = await readFile(pages, "utf8");
  await writeFile(pages, code.replaceAll(`entry.client-${hash}`, `entry.client-${nextHash}`));
}
