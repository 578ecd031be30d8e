import type { ReturnPaths } from "#newsletter/bounces/bounce-mailbox.ts";
import type { TestDatabase } from "../databases.ts";
import { beginTestSends, queueTestSend } from "./queue-test-send.ts";

/** Sends an issue to the subscribers there are; returns each mail with its return path. */
export async function sentMails({ db, open }: TestDatabase, returnPaths: ReturnPaths, issueId = 1) {
  const id = await queueTestSend(db, { issueId });
  await beginTestSends(open);
  const finished = { state: "finished", ended_at: "2026" } as const;
  await db.updateTable("sends").set(finished).where("id", "=", id).execute();
  const rows = await db
    .selectFrom("send_rows as row")
    .innerJoin("subscribers as subscriber", "subscriber.id", "reader_id")
    .select(["row.id", "email", "token"])
    .where("send_id", "=", id)
    .orderBy("row.id")
    .execute();
  const mails = rows.map((row) => ({
    ...row,
    address: row.email,
    returnPath: returnPaths.of(row),
  }));
  type Mail = (typeof mails)[number];
  return mails as [Mail, Mail, Mail];
}
