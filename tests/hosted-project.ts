import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { createClient } from "@supabase/supabase-js";
import pg from "pg";
import type { OpenDatabase } from "#db/database-handle.ts";
import { openDatabase } from "#db/open-database.ts";

const root = path.join(import.meta.dirname, "..");

/** A new project, where both public roles have all rights in `public` by default. */
const newProject = `
  do $$ begin create role anon nologin; create role authenticated nologin;
  exception when duplicate_object then null; end $$;
  grant usage on schema public to anon, authenticated;
  alter default privileges in schema public grant all on tables to anon, authenticated;
  alter default privileges in schema public grant all on sequences to anon, authenticated;
  alter default privileges in schema public grant all on functions to anon, authenticated;
  create table public.somebody_elses (secret text);`;

/** A Supabase project's database of the tests' PostgreSQL, with the migration of `supabase db push`. */
export async function createProject(postgresUrl: string, { before = "" } = {}) {
  const name = `supabase_${randomUUID().slice(0, 8)}`;
  const admin = new pg.Client(postgresUrl);
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = new URL(postgresUrl);
  url.pathname = name;
  const project = new pg.Client(url.href);
  await project.connect();
  const migration = path.join(root, "deploy/supabase/migrations/20261128000000_site.sql");
  await project.query(newProject + before + (await readFile(migration, "utf8")));
  return {
    url: url.href,
    /** As the dashboard's: its session looks in `public` alone. */
    query: (text: string, values?: unknown[]) => project.query(text, values),
    async remove() {
      await project.query("drop owned by anon, authenticated");
      await project.end();
      await admin.query(`drop database ${name} with (force)`);
      await admin.end();
    },
  };
}

export type Project = Awaited<ReturnType<typeof createProject>>;

/** The database's address for the operator's commands, as docs/deploying.md writes it. */
export function siteUrlOf({ url }: Project): string {
  return `${url}?options=-csearch_path%3Dsite,public`;
}

export function openSite(project: Project): Promise<OpenDatabase> {
  return openDatabase({ dataDir: "", databaseUrl: siteUrlOf(project) });
}

/**
 * Runs the functions that `scripts/supabase-functions.ts` has built, in Deno. Like Supabase's runtime, it lets work go on
 * after the answer. The process ends with its standard input.
 */
export async function startFunctions(project: Project, secrets: Record<string, string>) {
  const program = `
    globalThis.EdgeRuntime = { waitUntil() {} };
    await import("./deploy/supabase/functions/newsletter-signup/index.ts");
    for await (const _ of Deno.stdin.readable);
    Deno.exit();`;
  // Packages come from this project's folder, never from the registry.
  const flags = ["eval", "--cached-only", "--node-modules-dir=manual"];
  const child = spawn("node_modules/.bin/deno", [...flags, program], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      NO_COLOR: "1",
      DENO_NO_UPDATE_CHECK: "1",
      DENO_DIR: "node_modules/.cache/deno",
      DENO_SERVE_ADDRESS: "tcp:127.0.0.1:0",
      ...secrets,
      SUPABASE_DB_URL: project.url,
    },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let said = "";
  const listening = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        const [, found] = /Listening on (http:\/\/[\d.:]+)/.exec(said) ?? [];
        if (found) resolve(found);
      });
    }
    child.once("close", () => reject(new Error(`The functions did not start:\n${said}`)));
  });
  const origin = await listening;
  /** From the site's server, which is a trusted proxy, for a visitor. */
  const forwarded = (visitor = "203.0.113.9") => ({ "X-Forwarded-For": `${visitor}, 192.0.2.1` });
  return {
    origin,
    client: createClient(origin, "sb_publishable_1", { global: { headers: forwarded() } })
      .functions,
    post(
      name: string,
      body: BodyInit | null,
      headers: Record<string, string> = { "content-type": "application/json" },
    ) {
      const init = { method: "POST", headers: { ...forwarded(), ...headers }, body };
      return fetch(`${origin}/functions/v1/${name}`, { ...init, duplex: "half" } as RequestInit);
    },
    said: () => said,
    async stop() {
      const ended = once(child, "close");
      child.stdin.end();
      await ended;
    },
  };
}
