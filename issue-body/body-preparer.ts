import { Worker } from "node:worker_threads";
import { plainFallback } from "./plain-fallback.ts";
import type { PreparedBody } from "./prepare-issue-body.ts";

/** Longest that a body may take; real newsletters take milliseconds. */
const prepareTimeoutMs = 8_000;
/** A body that needs more of the thread's memory is shown as its words alone. */
const threadMaxMb = 64;
/** Of what has just been made and is soon forgotten. 24 MB of it left 17 MB more in the server's memory. */
const threadYoungMaxMb = 3;
/** The thread gives its memory back after so long without work. */
const idleMs = 5_000;
/** Most bodies that wait for the thread; a page is refused beyond, and tried again. */
const maxWaiting = 64;

type Prepared = {
  body: PreparedBody;
  /** False where only its words could be had in the time and memory allowed. */
  isWhole: boolean;
};

/** Prepares bodies on a thread of its own, one after the other, so that no body holds up a visitor of another page. */
export type BodyPreparer = {
  /** Rejects where too many wait, and after closing. */
  prepare(contentMarkdown: string): Promise<Prepared>;
  close(): Promise<void>;
};

export function createBodyPreparer({ timeoutMs = prepareTimeoutMs } = {}): BodyPreparer {
  let worker: Worker | null = null;
  let idleTimer: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let isClosed = false;

  async function endWorker(): Promise<void> {
    const ending = worker;
    worker = null;
    await ending?.terminate();
  }

  async function run(contentMarkdown: string): Promise<Prepared> {
    clearTimeout(idleTimer);
    worker ??= startWorker();
    const body = await answerOf(worker, contentMarkdown, timeoutMs);
    if (body === null) await endWorker();
    idleTimer = setTimeout(endWorker, idleMs).unref();
    return body === null
      ? { body: plainFallback(contentMarkdown), isWhole: false }
      : { body, isWhole: true };
  }

  return {
    async prepare(contentMarkdown) {
      if (isClosed) throw new Error("The preparer of issues' bodies is closed.");
      if (waiting >= maxWaiting) throw new Error(`${waiting} bodies wait to be prepared.`);
      waiting += 1;
      const prepared = last.then(() => run(contentMarkdown));
      last = prepared
        .catch(() => {})
        .finally(() => {
          waiting -= 1;
        });
      return await prepared;
    },
    async close() {
      isClosed = true;
      clearTimeout(idleTimer);
      await endWorker();
    },
  };
}

function startWorker(): Worker {
  const worker = new Worker(new URL("./prepare-worker.ts", import.meta.url), {
    resourceLimits: {
      maxOldGenerationSizeMb: threadMaxMb,
      maxYoungGenerationSizeMb: threadYoungMaxMb,
    },
    // The server's own flags are for its own thread.
    execArgv: [],
  });
  worker.unref();
  return worker;
}

/** Null where the thread took too long or ended: out of memory, or closed. */
function answerOf(
  worker: Worker,
  content: string,
  timeoutMs: number,
): Promise<PreparedBody | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(settle, timeoutMs, null);
    const fail = () => settle(null);
    function settle(answer: PreparedBody | null) {
      clearTimeout(timer);
      worker.off("message", settle);
      worker.off("error", fail);
      worker.off("exit", fail);
      // What a thread that is being ended has to say is of no interest, and would end the process unheard.
      if (answer === null) worker.on("error", () => {});
      resolve(answer);
    }
    worker.on("message", settle);
    worker.on("error", fail);
    worker.on("exit", fail);
    worker.postMessage(content);
  });
}
