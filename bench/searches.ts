import { get } from "node:http";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { startBuiltServer } from "./built-server.ts";
import type { Table } from "./report.ts";

const issues = 104;
const clients = 32;
const requestsPerClient = 8;
/** Between two visits, each on its own whether or not the last was answered. */
const visitEveryMs = 50;

/** Each is in every issue, the first ones hundreds of times. */
const frequentWords = [
  "invoice",
  "quote",
  "change",
  "order",
  "customer",
  "call",
  "friday",
  "price",
];

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

type Answered = { ms: number; status: number };

async function visitFor(url: string, others: Promise<unknown>): Promise<Answered[]> {
  const visits: Promise<Answered>[] = [];
  let isOver = false;
  others.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    visits.push(timeOf(url, "203.0.113.1"));
    await delay(visitEveryMs);
  }
  return await Promise.all(visits);
}

/** On a connection of its own. The status is 0 where it breaks. */
function timeOf(url: string, clientAddress: string): Promise<Answered> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const end = (status = 0) => resolve({ ms: performance.now() - startedAt, status });
    const headers = { "X-Forwarded-For": clientAddress };
    get(url, { agent: false, headers }, (response) => {
      response.resume();
      response.once("error", () => end());
      response.once("end", () => end(response.statusCode));
    }).once("error", () => end());
  });
}

/** As another program writes them: the site prepares them when they are first answers for. */
function writeIssues(file: string, wordsPerIssue: number): void {
  const database = new DatabaseSync(file, { timeout: 5_000 });
  database.exec("begin immediate; delete from final_newsletters");
  const insert = database.prepare(
    "insert into final_newsletters (title, content_markdown, publish_date) values (?, ?, '2026-11-20')",
  );
  const random = randomFrom(wordsPerIssue);
  const vocabulary = [...frequentWords, ...Array.from({ length: 3_000 }, () => newWord(random))];
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

const syllables = "ba ce di fo gu ha je ki lo mu na pe qui ro su ta ve wi xo zy".split(" ");

function newWord(random: () => number): string {
  const length = 2 + Math.floor(random() * 3);
  const parts = Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)]);
  return parts.join("");
}

/** The same texts in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

function timesOf(answered: Answered[]): string {
  const sorted = answered.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return `${at(0.5).toFixed(0)} / ${at(0.99).toFixed(0)}`;
}
