import { type AllowedWrite, allowedWrite } from "./allowed-write.ts";
import type { Answer } from "./read-answer.ts";
import { readStoredRows, type StoredRows } from "./stored-rows.ts";
import type { WireRequest } from "./wire-request.ts";

/** Kinds of delivery that follow from what a visitor sends; a note to the operator stands for all that was held. */
const deliveryKinds = new Set(["contact-email", "confirmation-email", "held-email"]);

/** Keeps account of what requests may have written, and holds the database against it. */
export class WriteLedger {
  readonly #allowed = {
    contact_messages: new Map<string, number>(),
    subscribers: new Map<string, number>(),
  };
  readonly #acknowledged = { contact_messages: new Set<string>(), subscribers: new Set<string>() };
  readonly #dataDir: string;
  readonly #before: StoredRows;

  constructor(dataDir: string) {
    this.#dataDir = dataDir;
    this.#before = readStoredRows(dataDir);
  }

  /** Before the request is sent. Gives what it may write. */
  async expect(request: WireRequest): Promise<AllowedWrite | null> {
    const allowed = await allowedWrite(request);
    if (allowed) {
      const rows = this.#allowed[allowed.table];
      rows.set(allowed.row, (rows.get(allowed.row) ?? 0) + 1);
    }
    return allowed;
  }

  /** After the answer. Throws where a request that may write nothing is answered as if it had. */
  settle(request: WireRequest, allowed: AllowedWrite | null, answer: Answer): void {
    if (!isAcknowledgement(request, answer)) return;
    if (!allowed)
      throw new Error(`${answer.status} acknowledges what may not be written:\n${answer.body}`);
    this.#acknowledged[allowed.table].add(allowed.row);
  }

  /** Everything that is wrong with the database: rows nobody may have written, lost ones, changed ones. */
  findings(): string[] {
    const after = readStoredRows(this.#dataDir);
    const before = this.#before;
    return [
      ...unexpected(
        "message",
        added(before.messages, after.messages),
        this.#allowed.contact_messages,
      ),
      ...unexpected(
        "subscriber",
        added(before.subscribers, after.subscribers),
        this.#allowed.subscribers,
      ),
      ...lost("message", this.#acknowledged.contact_messages, after.messages),
      ...lost(
        "subscriber",
        lowerCased(this.#acknowledged.subscribers),
        after.subscribers.map(lowerCase),
      ),
      ...(after.settled === before.settled
        ? []
        : ["A subscription was confirmed or ended without its link."]),
      ...(after.untouchable === before.untouchable
        ? []
        : ["Issues or marks of the operator changed."]),
      ...after.deliveries
        .filter(({ kind }) => !deliveryKinds.has(kind))
        .map(({ kind }) => `An outbox row is of kind ${kind}.`),
      ...tooManyDeliveries(after),
    ];
  }

  /** Rows that were added since the beginning. */
  get written(): { messages: number; subscribers: number } {
    const after = readStoredRows(this.#dataDir);
    return {
      messages: after.messages.length - this.#before.messages.length,
      subscribers: after.subscribers.length - this.#before.subscribers.length,
    };
  }
}

function isAcknowledgement({ method, target }: WireRequest, { status, body }: Answer): boolean {
  if (method !== "POST" || status >= 300) return false;
  if (/^\/functions\/v1\/(send-contact-email|newsletter-signup)(\?|$)/.test(target)) {
    return (JSON.parse(body.toString()) as { success: boolean }).success;
  }
  return /^\/(contact|newsletter)(\?|$)/.test(target);
}

/** A repeat under the same key is acknowledged and adds nothing, so there are rarely more rows than requests. */
function unexpected(what: string, rows: string[], allowed: ReadonlyMap<string, number>): string[] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(row, (counts.get(row) ?? 0) + 1);
  return [...counts]
    .filter(([row, count]) => count > (allowed.get(row) ?? 0))
    .map(([row, count]) => `A ${what} that may not be there ${count} times: ${row.slice(0, 200)}`);
}

function lost(what: string, acknowledged: ReadonlySet<string>, rows: string[]): string[] {
  const known = new Set(rows);
  return [...acknowledged]
    .filter((row) => !known.has(row))
    .map((row) => `A ${what} was acknowledged and is not there: ${row.slice(0, 200)}`);
}

function tooManyDeliveries({ messages, subscribers, deliveries }: StoredRows): string[] {
  const count = (kind: string) => deliveries.find((delivery) => delivery.kind === kind)?.count ?? 0;
  return [
    ...(count("contact-email") > messages.length
      ? ["There is more contact mail than there are messages."]
      : []),
    ...(count("confirmation-email") > subscribers.length
      ? ["There is more confirmation mail than there are subscribers."]
      : []),
    ...(count("held-email") > 2 ? ["The operator is sent more than a note a day."] : []),
  ];
}

function added(before: string[], after: string[]): string[] {
  return after.slice(before.length);
}

function lowerCase(text: string): string {
  return text.toLowerCase();
}

function lowerCased(texts: ReadonlySet<string>): Set<string> {
  return new Set([...texts].map(lowerCase));
}
