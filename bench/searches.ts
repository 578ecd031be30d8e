import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { startBuiltServer } from "./built-server.ts";
import type { Table } from "./report.ts";
import { type Answered, timeOf, timesOf, visitEveryMs, visitFor } from "./visitor.ts";

const issues = 104;
const clients = 32;
const requestsPerClient = 8;
/** Each is in every issue, the first ones hundreds of times. */
const frequentWords = "invoice quote change order customer call friday price".split(" ");

const loads = [
  { what: "searches, 1,000 words an issue", wordsPerIssue: 1_000, targetOf: searchOf },
  { what: "searches, 8,000 words an issue", wordsPerIssue: 8_000, targetOf: searchOf },
  { what: "REST reads, 1,000 words an issue", wordsPerIssue: 1_000, targetOf: readOf },
];

/** How long a visitor waits for a cached page while 32 clients search or read an archive of two years. */
export async function searches(): Promise<Table> {
  const rows: string[][] = [];
  for (const { what, wordsPerIssue, targetOf } of loads) {
    const answers: Answered[] = [];
    let failed = 0;
    // Each client has an address of its own, so that no limit spares the server a request.
    const server = await startBuiltServer({ TRUSTED_PROXIES: "127.0.0.1" });
    try {
      writeIssues(path.join(server.dataDir, "chalkline.sqlite"), wordsPerIssue);
      // Prepares the issues, and caches the visitor's page.
      await timeOf(`${server.url}/search?q=invoice`, "192.0.2.1");
      await timeOf(server.url, "192.0.2.1");
      const alone = await visitFor(server.url, delay(2_000));
      const asking = Array.from({ length: clients }, async (_, client) => {
        for (let turn = 0; turn < requestsPerClient; turn += 1) {
          const address = server.url + targetOf(client, turn);
          const answered = await timeOf(address, `198.51.100.${client}`);
          answers.push(answered);
          if (answered.status !== 200) failed += 1;
        }
      });
      const visits = await visitFor(server.url, Promise.all(asking));
      failed += visits.filter(({ status }) => status !== 200).length;
      rows.push([what, timesOf(alone), timesOf(visits), timesOf(answers), `${failed}`]);
    } finally {
      await server.stop();
    }
  }
  return {
    title: "A visitor's cached page beside searches and reads",
    note: `${clients} clients with ${requestsPerClient} requests each: searches of one to six words that every one of ${issues} issues has, or reads of 40 to 78 issues; meanwhile a visitor asks for the home page every ${visitEveryMs} ms. To hold: the visitor's p99 under 250 ms.`,
    columns: [
      "the clients send",
      "visitor alone, p50 / p99 ms",
      "visitor beside them, p50 / p99 ms",
      "clients, p50 / p99 ms",
      "failed",
    ],
    rows,
  };
}

function searchOf(client: number, turn: number): string {
  const from = (client + turn) % frequentWords.length;
  const words = [...frequentWords, ...frequentWords].slice(from, from + 1 + (turn % 6));
  return `/search?q=${encodeURIComponent(words.join(" "))}`;
}

function readOf(client: number, turn: number): string {
  return `/rest/v1/final_newsletters?select=*&order=id.desc&limit=${40 + client + turn}`;
}

/** As another program writes them: the site prepares them when they are first answers for. */
function writeIssues(file: string, wordsPerIssue: number): void {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec("begin immediate; delete from final_newsletters");
  const insert = database.prepare(
    "insert into final_newsletters (title, content_markdown, publish_date) values (?, ?, '2026-11-20')",
  );
  const random = randomFrom(wordsPerIssue);
  const vocabulary = [
    ...frequentWords,
    ...Array.from({ length: 3_000 }, (_, at) => `z${at.toString(36)}`),
  ];
  for (let issue = 1; issue <= issues; issue += 1) {
    // Zipf's law: the frequent words make up more than a quarter of a text.
    const words = Array.from({ length: wordsPerIssue }, (_, at) => {
      const word = vocabulary[Math.floor(vocabulary.length ** random()) - 1];
      return at % 12 === 11 ? `${word}.${at % 60 === 59 ? "</p><p>" : ""}` : word;
    });
    insert.run(`Weekly words ${issue}`, `<p>${words.join(" ")}</p>`);
  }
  database.exec("commit");
  database.close();
}

/** The same texts in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}
