import { createHash } from "node:crypto";
import { type Kysely, type RawBuilder, sql } from "kysely";
import pg from "pg";
import { errorCode } from "./error-code.ts";
import type { Database } from "./tables.ts";

const namedPrefix = "/* by name */ ";

/** Of one text each; more than that would come of one that is built anew each time, and is not worth its memory. */
const maxNames = 64;

/**
 * What a connection answers that doesn't know a statement by its name, knows it already, or has it planned for tables
 * that have changed since: a pooler in between gives each transaction whichever of its connections is free.
 */
const nameErrors = new Set(["26000", "42P05", "0A000"]);

const transactionsWithNames = new WeakSet<Kysely<Database>>();

/** At a statement's beginning: PostgreSQL parses and plans it once a connection. Only within `againWithoutNames`. */
export const byName: RawBuilder<unknown> = sql.raw(namedPrefix);

/** The same for a statement that others send too: by name in transactions that are done again without names alone. */
export function byNameIn(trx: Kysely<Database>): RawBuilder<unknown> {
  return transactionsWithNames.has(trx) ? byName : sql.raw("");
}

/** A transaction whose statements may go by name. */
export function withNames<Trx extends Kysely<Database>>(trx: Trx): Trx {
  transactionsWithNames.add(trx);
  return trx;
}

/**
 * Does one transaction, and once more where it came to nothing for a statement's name: whoever answered so is sent no
 * names any more.
 */
export async function againWithoutNames<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isNameError(error)) throw error;
    return await work();
  }
}

/** Clients of one pool. They send what is marked by a name, until one is answered that names aren't known. */
export function clientsWithNames({ namesAreKnown }: { namesAreKnown: boolean }): typeof pg.Client {
  const names = new Map<string, string>();
  let areKnown = namesAreKnown;

  function nameOf(text: unknown): string | undefined {
    if (!areKnown || typeof text !== "string" || !text.startsWith(namedPrefix)) return undefined;
    const known = names.get(text);
    if (known !== undefined || names.size >= maxNames) return known;
    // By its words: behind a pooler one connection serves several copies, of several releases.
    const name = `chalkline_${createHash("sha256").update(text).digest("hex").slice(0, 32)}`;
    names.set(text, name);
    return name;
  }

  return class extends pg.Client {
    override query(...given: unknown[]): never {
      const send = super.query as (...given: unknown[]) => unknown;
      const [text, values] = given;
      const name = nameOf(text);
      if (name === undefined) return send.apply(this, given) as never;
      const answer = send.call(this, { name, text, values }) as Promise<unknown>;
      return answer.catch((error: unknown) => {
        if (isNameError(error)) areKnown = false;
        throw error;
      }) as never;
    }
  };
}

function isNameError(error: unknown): boolean {
  return nameErrors.has(errorCode(error));
}
