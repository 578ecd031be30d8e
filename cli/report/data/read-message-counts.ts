import { type Kysely, sql } from "kysely";
import { contactSubjects } from "#contracts/contact-form.ts";
import type { Database } from "#db/tables.ts";
import type { TimeSpan } from "./time-span.ts";

export type MessageCounts = {
  /** By the subject's value; the empty one for messages without any, or with another. */
  bySubject: Map<string, number>;
  /** Of these, held as suspected spam and not released. */
  held: number;
};

const subjects = contactSubjects.map(({ value }) => value);

/**
 * Counts the messages of a span by an index that holds what is counted. The subject is free text, so known ones alone
 * stay.
 */
export async function readMessageCounts(
  db: Kysely<Database>,
  { from, to }: TimeSpan,
): Promise<MessageCounts> {
  const known = sql<string>`case when subject in (${sql.join(subjects)}) then subject else '' end`;
  const { rows } = await sql<{ subject: string; count: number | string; held: number | string }>`
    select subject, count(*) as count, count(held_at) as held
    from (select ${known} as subject, held_at from contact_messages
      where received_at >= ${from} and received_at < ${to}) as arrived
    group by subject`.execute(db);
  return {
    bySubject: new Map(rows.map(({ subject, count }) => [subject, Number(count)])),
    held: rows.reduce((sum, { held }) => sum + Number(held), 0),
  };
}
