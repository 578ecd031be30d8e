import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { copyDatabase } from "#db/copy.ts";
import type { Db } from "#db/tables.ts";
import { openStore } from "#newsletter/open-store.ts";
import { startPostgresCluster } from "#tests/databases/postgres-cluster.ts";
import { endProcess } from "#tests/end-process.ts";
import { freePort } from "#tests/free-port.ts";
import { bareEnvironment, type SiteServerSettings } from "#tests/site-server.ts";
import { startProgram } from "#tests/start-program.ts";
import { median } from "./built-server.ts";
import type { Table } from "./report.ts";

const stored = { subscribers: 100_000, issues: 500, messages: 10_000, drafts: 500 };
const mostMs = 200;
const turns = 5;

const pages = [
  ["Today", "/"],
  ["Messages", "/messages"],
  ["Messages, found by a word", "/messages?find=galvanized"],
  ["Issues", "/issues"],
  ["an issue that everybody got", "/issues/1"],
  ["Editor", "/issues/drafts/1"],
  ["Publish", "/issues/drafts/1/plan"],
  ["a preview, mail", "/issues/drafts/1/preview/light"],
  ["Subscribers", "/subscribers"],
  ["Subscribers, found by a part", "/subscribers?find=reader777"],
  ["Subscribers, found nowhere", "/subscribers?find=zeppelin"],
  ["a subscriber", "/subscribers/50000"],
  ["Settings", "/settings"],
] as const;

/** How long each page of the desk takes to its first byte, with all that the product is made for in its database. */
export async function desk(): Promise<Table> {
  const cluster = await startPostgresCluster();
  const dataDir = await mkdtemp(path.join(tmpdir(), "chalkline-desk-"));
  try {
    const filled = await openStore({ dataDir, databaseUrl: null });
    const copied = await openStore({ dataDir, databaseUrl: cluster.url });
    await fillSqlite(filled.db);
    await copyDatabase(filled, copied);
    for (const { db } of [filled, copied]) await sql`analyze`.execute(db);
    await Promise.all([filled.close(), copied.close()]);
    const sqlite = await timesOf({ DATA_DIR: dataDir });
    const postgres = await timesOf({ DATA_DIR: dataDir, DATABASE_URL: cluster.url });
    const counts = Object.entries(stored).map(
      ([what, count]) => `${count.toLocaleString("en-CA")} ${what}`,
    );
    return {
      title: "The desk with a full database",
      note: `${counts.join(", ")}; on SQLite, and on PostgreSQL on the same machine; each page ${turns} times. To hold: the median under ${mostMs} ms on a quiet machine.`,
      columns: ["page", "SQLite: median ms", "slowest ms", "PostgreSQL: median ms", "slowest ms"],
      rows: pages.map(([name], at) => [name, ...(sqlite[at] ?? []), ...(postgres[at] ?? [])]),
    };
  } finally {
    await cluster.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** A row a page: the median and the slowest first byte, in milliseconds. */
async function timesOf(settings: SiteServerSettings): Promise<string[][]> {
  const port = await freePort();
  const { child, match: link } = await startProgram(
    ["desk/start.mjs"],
    { ...bareEnvironment, NODE_ENV: "production", DESK_PORT: String(port), ...settings },
    /http\S+token=\S+(?=\s)/,
  );
  try {
    const opened = await fetch(`${link}&here`);
    const cookie = opened.headers.get("Set-Cookie")?.split(";")[0] ?? "";
    const rows: string[][] = [];
    for (const [, address] of pages) {
      const times: number[] = [];
      for (let turn = 0; turn < turns; turn += 1) {
        const begun = performance.now();
        const answer = await fetch(`http://127.0.0.1:${port}${address}`, { headers: { cookie } });
        times.push(performance.now() - begun);
        if (answer.status !== 200) throw new Error(`${address} was answered ${answer.status}.`);
        await answer.arrayBuffer();
      }
      rows.push([median(times), Math.max(...times)].map((time) => time.toFixed(0)));
    }
    return rows;
  } finally {
    await endProcess(child);
  }
}

/** By the statements of the database alone: a hundred thousand sign-ups through the pages take an hour. */
async function fillSqlite(db: Db): Promise<void> {
  const times = (count: number) =>
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;
  /** A moment so many minutes from now. */
  const moment = (minutes: string) =>
    `strftime('%Y-%m-%dT%H:%M:%S.000Z', 'now', (${minutes}) || ' minutes')`;
  const ago = (minutes: string) => moment(`-(${minutes})`);
  const text = "Twelve galvanized lintels went out on Friday, and the invoice with them. ";
  const texts = (count: number) => `replace(hex(zeroblob(${count})), '00', '${text}')`;
  const { subscribers, issues, messages, drafts } = stored;
  const statements = [
    "delete from final_newsletters",
    `${times(issues)} insert into final_newsletters (id, title, content_markdown, publish_date)
      select i, 'Weekly words ' || i, '<p>' || ${texts(60)} || '</p>', date('now', ((i - ${issues}) * 7) || ' days') from n`,
    `${times(subscribers)} insert into subscribers
        (id, email, mailbox_key, search_text, token, subscribed_at, confirmed_at, unsubscribed_at)
      select i, 'reader' || i || '@example.com', 'reader' || i || '@example.com',
        'reader' || i || '@example.com', hex(randomblob(16)),
        ${ago(`(${subscribers} - i) * 5`)}, case when i % 9 > 0 then ${ago(`(${subscribers} - i) * 5`)} end,
        case when i % 20 = 1 then ${ago("i % 40000")} end from n`,
    "insert into consent_wordings (hash, wording) values ('bench', 'Send me the newsletter.')",
    `insert into consent_events
        (mailbox_key, event, email, wording_hash, page, occurred_at, recorded_at)
      select mailbox_key, 'signed_up', email, 'bench', '/', subscribed_at, subscribed_at
        from subscribers order by id`,
    `${times(messages)} insert into contact_messages
        (id, first_name, last_name, email, mailbox_key, company, phone, subject, message, received_at, answered_at, search_text)
      select i, 'Ann', 'Person ' || i, 'ann' || i || '@example.com', 'ann' || i || '@example.com', '',
        '', 'general', ${texts(10)}, ${ago(`(${messages} - i) * 30`)},
        case when i % 50 > 0 then ${ago(`(${messages} - i) * 30`)} end, lower('Ann Person ' || i || ${texts(10)}) from n`,
    `${times(drafts)} insert into drafts
        (id, title, preheader, body, version, created_at, saved_at, binned_at)
      select i, 'A draft ' || i, '', ${texts(200)}, 2, ${ago("i")},
        ${ago("i")}, case when i % 2 = 0 then ${ago("i")} end from n`,
    `${times(50)} insert into plans (draft_id, due_at, created_at)
      select i * 2 - 1, ${moment("i * 1440")}, ${ago("0")} from n where i > 1`,
    `insert into sends (id, send_key, issue_id, title, state, subject, html, plain_text, created_at,
        begins_at, begun_at, ended_at)
      select id, 'bench' || id, id, title, 'finished', title, '', '', ${ago("500")}, ${ago("500")}, ${ago("500")},
        ${ago("400")} from final_newsletters`,
    `insert into send_rows (send_id, issue_id, reader_id, state, due_at, settled_at)
      select 1, 1, id, case when id % 50 > 0 then 'accepted' else 'refused' end, ${ago("500")}, ${ago("450")} from subscribers`,
  ];
  await db.transaction().execute(async (trx) => {
    for (const statement of statements) await sql.raw(statement).execute(trx);
  });
}
