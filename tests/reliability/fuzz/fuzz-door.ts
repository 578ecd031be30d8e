import fc from "fast-check";
import { checkAnswer } from "./check-answer.ts";
import type { Door } from "./doors/door.ts";
import { RawConnection } from "./raw-connection.ts";
import type { FuzzServer } from "./start-fuzz-server.ts";
import { countAnswer, type Tally } from "./tally.ts";
import { type WireRequest, wirePieces } from "./wire-request.ts";
import type { WriteLedger } from "./write-ledger.ts";

/** Bodies above this are refused while they are still being sent, which can cost the sender the answer. */
const answeredBodyMaxBytes = 60_000;

export type FuzzOptions = {
  server: FuzzServer;
  ledger: WriteLedger;
  tally: Tally;
  /** Decides what is generated: the same seed sends the same requests. */
  seed: number;
  runs: number;
};

/**
 * Sends so many generated requests through a door, over connections that are kept where the server keeps them. Gives the
 * smallest request that breaks a rule, with what repeats it; null where none does.
 */
export async function fuzzDoor(door: Door, options: FuzzOptions): Promise<string | null> {
  const connection = new RawConnection(options.server.port);
  const attempt = fc.asyncProperty(door.requests, (request) => send(request, connection, options));
  try {
    const details = await fc.check(attempt, { seed: options.seed, numRuns: options.runs });
    const [smallest] = details.counterexample ?? [];
    return describeFailure(door.name, details, smallest ? describeRequest(smallest) : "");
  } finally {
    connection.close();
  }
}

async function send(
  request: WireRequest,
  connection: RawConnection,
  options: FuzzOptions,
): Promise<void> {
  const { server, ledger, tally } = options;
  const allowed = await ledger.expect(request);
  tally.requests += 1;
  const outcome = await connection.ask(request);
  const crash = server.crash();
  if (crash) throw new Error(`The server ${crash}`);
  if (outcome.kind === "closed") {
    if ((request.body?.length ?? 0) > answeredBodyMaxBytes) return;
    throw new Error(
      `The connection was closed without an answer: ${outcome.received.toString("latin1")}`,
    );
  }
  const { answer } = outcome;
  countAnswer(tally, answer.status);
  checkAnswer(request, answer);
  ledger.settle(request, allowed, answer);
  if (connection.unread.length > 0) throw new Error("More came than one answer.");
}

/** What broke a rule, and what repeats it; null where nothing did. */
export function describeFailure<T>(
  door: string,
  { failed, seed, numRuns, errorInstance }: fc.RunDetails<T>,
  smallest: string,
): string | null {
  if (!failed) return null;
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return [`Door "${door}", seed ${seed}, run ${numRuns}:`, why, smallest].join("\n");
}

function describeRequest(request: WireRequest): string {
  const bytes = Buffer.concat(wirePieces(request));
  return JSON.stringify(bytes.toString("latin1", 0, 2_000));
}
