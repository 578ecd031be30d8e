import type { Kysely } from "kysely";
import { expect } from "vitest";
import { listMessages } from "#backend/contact/list-messages.ts";
import type { Database } from "#backend/database/tables.ts";
import { listSubscribers } from "#backend/newsletter/list-subscribers.ts";
import { listOutbox } from "#backend/outbox/list-outbox.ts";
import type { BackendServer } from "./backend-server.ts";

/** A call that was refused has left nothing behind, and nothing to send. */
export async function expectNothingWritten(db: Kysely<Database>, server: BackendServer) {
  expect(await listMessages(db)).toEqual([]);
  expect(await listSubscribers(db)).toEqual([]);
  expect(await listOutbox(db)).toEqual([]);
  expect(server.woken).toBe(0);
}
