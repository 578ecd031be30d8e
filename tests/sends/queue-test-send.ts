import type { OpenDatabase } from "#db/database-handle.ts";
import type { Db } from "#db/tables.ts";
import { beginDueSends } from "#newsletter/sends/recipients.ts";
import { queueSend } from "#newsletter/sends/sends.ts";
import { configOf } from "../config-of.ts";
import { testSite } from "../site-identity.ts";
import { sendingEnvironment } from "./sending-environment.ts";

/** The firm of the tests, with everything that it needs to send. */
export const testSender = { site: testSite, config: configOf(sendingEnvironment) };

/** Queues a send of an issue, to begin at once, and gives its id. An issue that isn't there is written. */
export async function queueTestSend(
  db: Db,
  {
    issueId = 1,
    beginsAt = new Date(),
    html = "<p>Words.</p>",
  }: { issueId?: number; beginsAt?: Date; html?: string } = {},
): Promise<number> {
  const title = "Quotes before lunch";
  const issue = { id: issueId, title, content_markdown: html, publish_date: "2026-11-09" };
  await db
    .insertInto("final_newsletters")
    .values(issue)
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  return await queueSend(db, { issue: { id: issueId, title }, beginsAt, now: new Date() });
}

/** Begins what is due, with the firm of the tests as its sender. */
export async function beginTestSends(open: OpenDatabase, now = new Date()) {
  return await beginDueSends(open, testSender, now);
}
