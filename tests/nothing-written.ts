import type { Kysely } from "kysely";
import { expect } from "vitest";
import { listMessages } from "#contact/messages.ts";
import type { Database } from "#db/tables.ts";
import { listOutbox } from "#mail/outbox-list.ts";
import { listSubscribers } from "#newsletter/list-subscribers.ts";
import type { BackendServer } from "./backend-server.ts";

/** A call that was refused has left nothing behind, and nothing to send. */
export async function expectNothingWritten(db: Kysely<Database>, server: BackendServer) {
  expect(await listMessages(db)).toEqual([]);
  expect(await listSubscribers(db)).toEqual([]);
  expect(await listOutbox(db)).toEqual([]);
  expect(server.woken).toBe(0);
}
