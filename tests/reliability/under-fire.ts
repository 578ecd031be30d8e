import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { callFunction } from "../call-function.ts";
import { contactMessage } from "../contact-message.ts";

export type Visitors = ReturnType<typeof startVisitors>;

/** Between two tries of a request that got no answer, such as while the server is down. */
const retryAfterMs = 15;

/**
 * Visitors who write without a pause: each sends messages and sign-ups in turn, and sends again, with the same
 * idempotency key, whatever got no answer. They rest for `pauseMs` after an answer.
 */
export function startVisitors(
  count: number,
  origin: (visitor: number) => string | null,
  { pauseMs = 0 }: { pauseMs?: number } = {},
) {
  const stopping = new AbortController();
  const crowd = {
    /** Successful answers, by their tracers. */
    acknowledged: { messages: [] as string[], signups: [] as string[] },
    /** How often each answer came: a status with `success` or `refused`, or `no answer`. */
    answers: new Map<string, number>(),
    async stop() {
      stopping.abort();
      await Promise.all(visitors);
    },
  };
  const visitors = Array.from({ length: count }, (_, index) => visit(index));

  async function visit(visitor: number) {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const tracer = `${visitor}-${turn}-${randomUUID()}`;
      if (turn % 2 === 0) {
        const body = { ...contactMessage, email: address(tracer), message: `tracer:${tracer}:` };
        if (await sendUntilAnswered(visitor, "send-contact-email", body, tracer))
          crowd.acknowledged.messages.push(tracer);
      } else {
        const body = { email: address(tracer) };
        if (await sendUntilAnswered(visitor, "newsletter-signup", body, tracer))
          crowd.acknowledged.signups.push(tracer);
      }
      if (pauseMs > 0) await delay(pauseMs);
    }
  }

  async function sendUntilAnswered(visitor: number, name: string, body: object, key: string) {
    while (!stopping.signal.aborted) {
      const to = origin(visitor);
      if (to) {
        const { answer, success } = await post(to, name, body, key);
        crowd.answers.set(answer, (crowd.answers.get(answer) ?? 0) + 1);
        if (success) return true;
      }
      await delay(retryAfterMs);
    }
    return false;
  }

  return crowd;
}

async function post(origin: string, name: string, body: object, key: string) {
  try {
    const response = await callFunction(origin, name, body, { "Idempotency-Key": key });
    const { success } = (await response.json()) as { success?: boolean };
    const said = success === true ? "success" : "refused";
    return { answer: `${response.status} ${said}`, success: response.ok && success === true };
  } catch {
    return { answer: "no answer", success: false };
  }
}

/** The tracer in a stored or mailed text; empty where there is none. */
export function tracerOf(text: string): string {
  return /tracer:([^:]+):/.exec(text)?.[1] ?? "";
}

export function address(tracer: string): string {
  return `${tracer}@visitors.example`;
}
