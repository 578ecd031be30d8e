import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Pool, PoolClient } from "pg";
import { answerWords, type Refusal } from "#api/function-call.ts";
import type { Settings } from "./settings.ts";

export type Deps = { settings: Settings; pool: Pool };

export type Call = Deps & {
  body: Record<string, unknown>;
  headers: Headers;
  /** The visitor's network address, if known. */
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

export function refused({ status, error, fields, retryAfterSeconds }: Refusal): Answer {
  return { status, body: { success: false, error, fields }, retryAfterSeconds };
}

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
    // The connection's transaction is still open, so it is not reused.
    client.release(true);
    throw error;
  }
}
