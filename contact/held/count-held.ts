import type { Kysely } from "kysely";
import { readHeldCounts } from "#db/counts/stored-counts.ts";
import type { Database } from "#db/tables.ts";

export type HeldCounts = { messages: number; signUps: number };

/** How many messages and sign-ups wait for the operator, held as suspected spam. */
export async function countHeld(db: Kysely<Database>): Promise<HeldCounts> {
  const { messages, subscribers } = await readHeldCounts(db);
  return { messages, signUps: subscribers };
}

/** `2 messages and 1 sign-up`. */
export function describeHeld({ messages, signUps }: HeldCounts): string {
  const parts = [
    ...(messages > 0 ? [`${messages} ${messages === 1 ? "message" : "messages"}`] : []),
    ...(signUps > 0 ? [`${signUps} ${signUps === 1 ? "sign-up" : "sign-ups"}`] : []),
  ];
  return parts.join(" and ") || "nothing";
}
