import type { IncomingMessage, RequestListener } from "node:http";
import { type FunctionOutcome, functionNames, functionOutcomes } from "#api/functions.ts";
import { visitEvents } from "#contracts/visits.ts";
import type { VisitKind } from "#db/tables.ts";
import { type AttemptResult, attemptResults } from "#mail/outbox.ts";
import { type OutboxKind, outboxPayloadSchemas } from "#mail/outbox-jobs.ts";
import type { ReportOutcome } from "#newsletter/bounces/record-report.ts";
import type { PageCache } from "../page-cache/page-cache.ts";

/** What makes an answer for the one who asked; kept pages and files come straight from memory. */
type MadeKind = "page" | "form" | "rest" | "function" | "health";

/** How many answers had a status of each class, by its first digit. */
type ByStatusClass = number[];

/**
 * What the server has done since it started, as plain numbers: counting costs an addition, whether or not anybody reads
 * them.
 */
export type Counts = {
  /** Files and cached pages together; the files are what is left without the pages. */
  fromMemory: ByStatusClass;
  cachedPages: ByStatusClass;
  answers: Record<MadeKind, ByStatusClass>;
  cacheHits: number;
  cacheMisses: number;
  renders: number;
  functionAnswers: Map<string, number>;
  deliveryAttempts: Map<string, number>;
  bounceReports: Map<string, number>;
  /** Pages and issues shown to people, and what visits are for. */
  visits: number;
  events: Map<string, number>;
  databaseErrors: number;
  connectionsLost: number;
  /** Milliseconds since 1970; null before the first. */
  lastDeletionAt: number | null;
  deletionFailures: number;
};

/** What makes the answer to a request that nothing in memory answers. */
export function requestKind({
  method,
  url = "/",
}: Pick<IncomingMessage, "method" | "url">): MadeKind {
  if (url.startsWith("/rest/")) return "rest";
  if (url.startsWith("/functions/")) return "function";
  if (url === "/healthz" || url === "/readyz") return "health";
  return method === "POST" ? "form" : "page";
}

/** Where an alert or the dashboard looks for a rise, the count begins at 0: of one that appears with its first event no rise is seen. */
export function createCounts(): Counts {
  return {
    fromMemory: noneYet(),
    cachedPages: noneYet(),
    answers: {
      page: noneYet(),
      form: noneYet(),
      rest: noneYet(),
      function: noneYet(),
      health: noneYet(),
    },
    cacheHits: 0,
    cacheMisses: 0,
    renders: 0,
    functionAnswers: noneOfPairs(functionNames, functionOutcomes),
    deliveryAttempts: noneOfPairs(Object.keys(outboxPayloadSchemas), attemptResults),
    bounceReports: new Map(),
    visits: 0,
    events: new Map(visitEvents.map((event) => [event, 0])),
    databaseErrors: 0,
    connectionsLost: 0,
    lastDeletionAt: null,
    deletionFailures: 0,
  };
}

function noneOfPairs(firsts: readonly string[], seconds: readonly string[]): Map<string, number> {
  return new Map(firsts.flatMap((first) => seconds.map((second) => [`${first} ${second}`, 0])));
}

export function countAnswer({ answers }: Counts, kind: MadeKind, status: number): void {
  add(answers[kind], status);
}

export function countFunctionAnswer(counts: Counts, name: string, outcome: FunctionOutcome): void {
  increase(counts.functionAnswers, `${name} ${outcome}`);
}

export function countAttempt(counts: Counts, kind: OutboxKind, result: AttemptResult): void {
  increase(counts.deliveryAttempts, `${kind} ${result}`);
}

export function countBounceReport(counts: Counts, outcome: ReportOutcome): void {
  increase(counts.bounceReports, outcome);
}

export function countVisit(counts: Counts, kind: VisitKind, name: string): void {
  if (kind === "page" || kind === "issue") counts.visits += 1;
  if (kind === "event") increase(counts.events, name);
}

/** Counts what a listener answers before it returns, which is what it has in memory. */
export function countedAtOnce(byClass: ByStatusClass, answer: RequestListener): RequestListener {
  return (request, response) => {
    answer(request, response);
    if (response.headersSent) add(byClass, response.statusCode);
  };
}

/** The cache, with each look counted, and the answers that had to be waited for. */
export function countedCache(counts: Counts, cache: PageCache): PageCache {
  return {
    find(page) {
      const cached = cache.find(page);
      if (cached) counts.cacheHits += 1;
      else counts.cacheMisses += 1;
      return cached;
    },
    isMaking: cache.isMaking,
    archiveChanged: cache.archiveChanged,
    async make(page, asker) {
      const answer = await cache.make(page, asker);
      countAnswer(counts, "page", answer.status);
      return answer;
    },
  };
}

function noneYet(): ByStatusClass {
  return [0, 0, 0, 0, 0, 0];
}

function add(byClass: ByStatusClass, status: number): void {
  const index = (status / 100) | 0;
  byClass[index] = (byClass[index] ?? 0) + 1;
}

function increase(counted: Map<string, number>, name: string): void {
  counted.set(name, (counted.get(name) ?? 0) + 1);
}
