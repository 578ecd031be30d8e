import { randomUUID } from "node:crypto";

export type Acknowledged = { messages: string[]; signups: string[] };

/** Between two tries of a request that got no answer, such as while the server is down. */
const retryAfterMs = 15;

/**
 * Visitors who write without a pause: each sends messages and sign-ups in turn, and sends again, with the same
 * idempotency key, whatever got no answer. What is in the result was answered with success.
 */
export function startVisitors(count: number, origin: () => string | null) {
  const acknowledged: Acknowledged = { messages: [], signups: [] };
  const stopping = new AbortController();
  const visitors = Array.from({ length: count }, (_, index) => visit(index));

  async function visit(visitor: number) {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const mark = `${visitor}-${turn}-${randomUUID()}`;
      if (turn % 2 === 0) {
        if (await sendUntilAnswered("send-contact-email", message(mark), mark))
          acknowledged.messages.push(mark);
      } else if (await sendUntilAnswered("newsletter-signup", { email: address(mark) }, mark))
        acknowledged.signups.push(mark);
    }
  }

  async function sendUntilAnswered(name: string, body: object, key: string): Promise<boolean> {
    while (!stopping.signal.aborted) {
      const to = origin();
      if (to && (await post(`${to}/functions/v1/${name}`, body, key))) return true;
      await new Promise((resolve) => setTimeout(resolve, retryAfterMs));
    }
    return false;
  }

  return {
    acknowledged,
    async stop() {
      stopping.abort();
      await Promise.all(visitors);
    },
  };
}

async function post(url: string, body: object, key: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", "idempotency-key": key },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { success?: boolean };
    return response.ok && answer.success === true;
  } catch {
    return false;
  }
}

function message(mark: string) {
  return {
    firstName: "Visitor",
    lastName: "Underfire",
    email: address(mark),
    company: "",
    phone: "",
    subject: "general-inquiry",
    message: `mark:${mark}:`,
  };
}

export function address(mark: string): string {
  return `${mark}@visitors.example`;
}
