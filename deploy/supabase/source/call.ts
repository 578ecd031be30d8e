import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Pool, PoolClient } from "pg";
import { answerWords, type Refusal } from "#api/function-call.ts";
import type { Settings } from "./settings.ts";

export type Deps = { settings: Settings; pool: Pool };

export type Call = Deps & {
  body: Record<string, unknown>;
  headers: Headers;
  /** The visitor's network address, where known. */
  visitor: string | null;
};

export type Answer = {
  status: ContentfulStatusCode;
  body: Record<string, unknown>;
  retryAfterSeconds?: number | undefined;
};

export const failure: Answer = {
  status: 503,
  body: {
    success: false,
    error: answerWords.unsaved,
  },
  retryAfterSeconds: 5,
};

export function refusal(status: ContentfulStatusCode, error: string): Answer {
  return { status, body: { success: false, error } };
}

/** A refusal of the built-in backend's rules, as this one answers it. */
export function refused({ status, error, fields, retryAfterSeconds }: Refusal): Answer {
  return { status, body: { success: false, error, fields }, retryAfterSeconds };
}

/** All of the work or none of it. */
export async function inTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("begin");
    const done = await work(client);
    await client.query("commit");
    client.release();
    return done;
  } catch (error) {
    // A connection whose transaction is open is no use to anybody else.
    client.release(true);
    throw error;
  }
}
