import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { checkAnswer } from "./check-answer.ts";
import { type Exchange, exchanges } from "./doors/protocol-door.ts";
import { describeFailure, type FuzzOptions } from "./fuzz-door.ts";
import { RawConnection } from "./raw-connection.ts";
import type { Answer } from "./read-answer.ts";
import { countAnswer, type Tally } from "./tally.ts";
import { get } from "./wire-request.ts";

/** Before a connection is cut off, so that the server has begun to read. */
const cutAfterMs = 2;

/**
 * What may have come before the end where no answer does: who half-closes behind a request may not be answered, and the
 * leave to send its body (RFC 9110, section 15.2.1) has gone out by then where it was asked for.
 */
const interimAlone = /^(?:HTTP\/1\.1 100 Continue\r\n\r\n)?$/;

/** As `fuzzDoor`, for what is no request of any client. After each exchange a visitor has to be served. */
export async function fuzzProtocol(options: FuzzOptions): Promise<string | null> {
  const { server, tally, seed, runs } = options;
  const attacker = new RawConnection(server.port);
  const visitor = new RawConnection(server.port);
  const attempt = fc.asyncProperty(exchanges, async (sent) => {
    await send(sent, attacker, tally);
    const served = await visitor.ask(get("/healthz"));
    const crash = server.crash();
    if (crash) throw new Error(`The server ${crash}`);
    if (served.kind === "closed" || served.answer.status !== 200) {
      throw new Error("Another visitor was not served.");
    }
  });
  try {
    const details = await fc.check(attempt, { seed, numRuns: runs });
    const [smallest] = details.counterexample ?? [];
    const bytes = smallest?.bytes.toString("latin1", 0, 2_000);
    return describeFailure("protocol", details, `${smallest?.what}: ${JSON.stringify(bytes)}`);
  } finally {
    attacker.close();
    visitor.close();
  }
}

async function send(sent: Exchange, connection: RawConnection, tally: Tally): Promise<void> {
  tally.requests += 1;
  await connection.send(sent.bytes, { end: sent.end });
  if (!sent.end && sent.statuses === null) {
    await delay(cutAfterMs);
    connection.close();
    return;
  }
  const answers = await readAll(sent, connection);
  for (const answer of answers) {
    countAnswer(tally, answer.status);
    checkAnswer(get("/"), answer);
  }
  if (answers.length > sent.answersMax) {
    throw new Error(`${answers.length} answers came where ${sent.answersMax} are the most.`);
  }
  const statuses = answers.map(({ status }) => status);
  if (sent.statuses && sent.statuses.join() !== statuses.join()) {
    throw new Error(`The answers were ${statuses}, and should have been ${sent.statuses}.`);
  }
}

/** Every answer until the server closes, or until those are there that have to come. */
async function readAll(sent: Exchange, connection: RawConnection): Promise<Answer[]> {
  const answers: Answer[] = [];
  // Only what asks for HEAD alone is answered without a body that its headers announce.
  const heads = sent.bytes.toString("latin1").match(/(?:GET|HEAD|POST) (?=\/)/g) ?? [];
  for (;;) {
    const isDone = !sent.end && answers.length >= (sent.statuses?.length ?? 0);
    if (isDone || answers.length > sent.answersMax) return answers;
    const method = heads[answers.length]?.trim() ?? "GET";
    const outcome = await connection.answer(method);
    if (outcome.kind === "closed") {
      if (!interimAlone.test(outcome.received.toString("latin1"))) {
        throw new Error("An answer breaks off.");
      }
      return answers;
    }
    answers.push(outcome.answer);
  }
}
