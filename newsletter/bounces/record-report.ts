import { hash } from "node:crypto";
import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { bounceKindOf, recordBounce } from "../record-bounce.ts";
import { findMailboxOfToken } from "../subscriber-token.ts";
import { type MailReport, readMailReport } from "./read-mail-report.ts";
import type { ReturnPaths } from "./return-path.ts";

/**
 * `ours`: refused for our own fault (5.5 to 5.7), which counts against no subscriber. `nothing`: a notice. `unproven`:
 * it can't prove which mail of ours it is about. `unreadable`: no report.
 */
export type ReportOutcome = "recorded" | "known" | "ours" | "nothing" | "unproven" | "unreadable";

export async function recordReport(
  db: Kysely<Database>,
  returnPaths: ReturnPaths,
  { message, now }: { message: Uint8Array; now: Date },
): Promise<ReportOutcome> {
  const report = await readMailReport(message);
  if (report.says === "unreadable") return "unreadable";
  if (report.says === "notice") return "nothing";
  const about = await findMailbox(db, returnPaths, report);
  if (!about) return "unproven";
  const kind = report.says === "complaint" ? "complaint" : bounceKindOf(report.words);
  if (kind === "sender") return "ours";
  const { mailbox } = about;
  const reportKey = `${about.mail} ${report.says}`;
  return await db.transaction().execute(async (trx) => {
    const refusal = { kind, answer: report.words } as const;
    const recorded = await recordBounce(trx, { mailbox, refusal, now, reportKey });
    return recorded === "nobody" ? "unproven" : recorded;
  });
}

/** Finds the mailbox by a secret: the mail's return path, or with a complaint its unsubscribe link. */
async function findMailbox(
  db: Kysely<Database>,
  returnPaths: ReturnPaths,
  { says, addresses, linkToken, mailId }: MailReport,
): Promise<{ mailbox: string; mail: string } | null> {
  const returned = await returnPaths.find(db, addresses);
  if (returned) return { mailbox: returned.mailbox, mail: `row ${returned.rowId}` };
  if (says !== "complaint" || linkToken === null) return null;
  const mailbox = await findMailboxOfToken(db, linkToken);
  const mail = hash("sha256", mailId ?? linkToken, "hex").slice(0, 32);
  return mailbox === null ? null : { mailbox, mail };
}
