import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteFileName } from "#backend/database/open-sqlite.ts";
import { address, markOf } from "../under-fire.ts";

type Examined = {
  isSound: boolean;
  /** Marks of the messages and sign-ups that are there. */
  marks: Set<string>;
  /** Messages and sign-ups of which a part is missing: the row, its mail, its webhook call. */
  halves: string[];
};

/** Opens a database as it was found after a power cut and says what is in it. */
export function examineDatabase(files: Map<string, Buffer>): Examined {
  const folder = mkdtempSync(path.join(tmpdir(), "chalkline-found-"));
  for (const [file, bytes] of files) writeFileSync(path.join(folder, path.basename(file)), bytes);
  const db = new DatabaseSync(path.join(folder, sqliteFileName));
  try {
    const [check] = db.prepare("pragma integrity_check").all() as { integrity_check: string }[];
    const isSound = check?.integrity_check === "ok";
    const table = db.prepare("select 1 from sqlite_schema where name = 'contact_messages'").get();
    return { isSound, ...(table ? readWrites(db) : { marks: new Set(), halves: [] }) };
  } finally {
    db.close();
    rmSync(folder, { recursive: true });
  }
}

function readWrites(db: DatabaseSync): Pick<Examined, "marks" | "halves"> {
  const texts = (query: string) =>
    (db.prepare(query).all() as { text: string }[]).map(({ text }) => text);
  const messages = texts("select message as text from contact_messages").map(markOf);
  const emails = texts("select email as text from subscribers");
  const deliveries = new Map<string, number>();
  for (const payload of texts("select payload as text from outbox")) {
    const mark = markOfPayload(payload);
    deliveries.set(mark, (deliveries.get(mark) ?? 0) + 1);
  }
  // A message has one delivery, to the firm; a sign-up two, to the reader and to the webhook.
  const wanted = [
    ...messages.map((mark) => ({ mark, count: 1 })),
    ...emails.map((email) => ({ mark: markOfAddress(email), count: 2 })),
  ];
  const halves = wanted.filter(({ mark, count }) => deliveries.get(mark) !== count);
  return {
    marks: new Set(wanted.map(({ mark }) => mark)),
    halves: halves.map(({ mark }) => mark),
  };
}

function markOfPayload(payload: string): string {
  const { message, email, data } = JSON.parse(payload) as {
    message?: string;
    email?: string;
    data?: { email: string };
  };
  return message === undefined ? markOfAddress(email ?? data?.email ?? "") : markOf(message);
}

function markOfAddress(email: string): string {
  return email.slice(0, -address("").length);
}
