import { createHash } from "node:crypto";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ContactField } from "#contracts/contact-form.ts";
import { sqliteFileName } from "#db/open-sqlite.ts";
import { messageRow } from "./allowed-write.ts";

export type StoredRows = {
  messages: string[];
  /** Every spelling of an address that was signed up; a mailbox is one subscriber however it is spelled. */
  subscribers: string[];
  /** Addresses that are confirmed or off the list. */
  settled: number;
  deliveries: { kind: string; count: number }[];
  /** Of everything that no visitor may change. */
  untouchable: string;
};

/** Reads the running server's database beside it. */
export function readStoredRows(dataDir: string): StoredRows {
  const db = new DatabaseSync(path.join(dataDir, sqliteFileName), {
    readOnly: true,
    timeout: 5_000,
  });
  try {
    const all = <Row>(query: string) => db.prepare(query).all() as Row[];
    const messages = all<Record<string, string>>("select * from contact_messages order by id");
    return {
      messages: messages.map((row) => messageRow(fieldsOf(row))),
      subscribers: all<{ email: string }>(
        "select email from consent_events group by email order by min(id)",
      ).map(({ email }) => email),
      settled: all(
        "select id from subscribers where confirmed_at is not null or unsubscribed_at is not null",
      ).length,
      deliveries: all("select kind, count(*) as count from outbox group by kind"),
      untouchable: createHash("sha256")
        .update(
          JSON.stringify([
            all("select * from final_newsletters order by id"),
            all("select * from erasures"),
          ]),
        )
        .update(JSON.stringify(all("select name from sqlite_schema order by name")))
        .digest("hex"),
    };
  } finally {
    db.close();
  }
}

function fieldsOf(row: Record<string, string>): Record<ContactField, string> {
  const {
    first_name = "",
    last_name = "",
    email = "",
    company = "",
    phone = "",
    subject = "",
    message = "",
  } = row;
  return { firstName: first_name, lastName: last_name, email, company, phone, subject, message };
}
