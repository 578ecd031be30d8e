import { createHmac, timingSafeEqual } from "node:crypto";
import type { ImapFlow } from "imapflow";
import type { Logger } from "pino";
import { describeCauses } from "#db/describe-causes.ts";
import { createRecurringWork } from "#db/recurring-work.ts";
import type { Db } from "#db/tables.ts";
import { bounceKindOf, recordBounce } from "./record-bounce.ts";

const minuteMs = 60_000;

type BounceMailboxOptions = {
  db: Db;
  log: Logger;
  /** `imaps://user:password@host:port/folder`. */
  url: string;
  returnPaths: ReturnPaths;
  pollMs?: number;
};

/** Reads the mailbox of bounces from where it was left. Marks and deletes nothing there. */
export function createBounceMailbox(options: BounceMailboxOptions) {
  const { db, log, url, returnPaths, pollMs = minuteMs } = options;
  let client: ImapFlow | null = null;

  const looking = createRecurringWork(async (stopping) => {
    try {
      await readMailbox(stopping);
      return pollMs;
    } catch (err) {
      const retryInMs = 5 * pollMs;
      const words = wordsOfMailbox(err);
      if (!stopping.aborted) log.warn({ words, retryInMs }, "The bounce mailbox can't be read");
      return retryInMs;
    } finally {
      client?.close();
      client = null;
    }
  });

  async function readMailbox(stopping: AbortSignal) {
    client = await connectToMailbox(url, (made) => {
      stopping.throwIfAborted();
      client = made;
    });
    const { uidValidity } = await client.mailboxOpen(folderOf(url), { readOnly: true });
    // Without the password.
    const { username, host } = new URL(url);
    const mailbox = `${username}@${host}/${folderOf(url)}`;
    const place = { mailbox, uid_validity: String(uidValidity) };
    const known = await db
      .selectFrom("bounce_mailboxes")
      .select("last_uid")
      .where((on) => on.and(place))
      .executeTakeFirst();
    const lastUid = Number(known?.last_uid ?? 0);
    // A mailbox that is new to the site may hold years of mail.
    const since = new Date(Date.now() - 30 * 24 * 60 * minuteMs);
    const range = { uid: `${lastUid + 1}:*` };
    const found = await client.search(known ? range : { ...range, since }, { uid: true });
    for (const uid of (found || []).toSorted((a, b) => a - b)) {
      if (stopping.aborted) return;
      // The range's end is the last mail, also where that is older.
      if (uid <= lastUid) continue;
      // A report states its case before it repeats the mail, so the beginning is enough.
      const source = { start: 0, maxLength: 256 * 1024 };
      const fetched = await client.fetchOne(String(uid), { source }, { uid: true });
      if (fetched) {
        const message = fetched.source ?? Buffer.alloc(0);
        const outcome = await recordReport(db, returnPaths, { message, now: new Date() });
        log.info({ outcome }, "A message in the bounce mailbox was read");
      }
      // Kept after the report: after a crash the message is read again and found to be known.
      await db
        .insertInto("bounce_mailboxes")
        .values({ ...place, last_uid: uid })
        .onConflict((on) => on.column("mailbox").doUpdateSet({ ...place, last_uid: uid }))
        .execute();
    }
    await client.logout();
  }

  return {
    start: looking.start,
    async stop() {
      const stopped = looking.stop();
      client?.close();
      await stopped;
    },
  };
}

/** imapflow's own message says only that a command failed; the server's words say why. */
export function wordsOfMailbox(error: unknown): string {
  const { responseText } = error as Error & { responseText?: string };
  return responseText ?? describeCauses(error);
}

export function folderOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1)) || "INBOX";
}

/** Imports imapflow only where a mailbox is configured. `keep` gets the client before it waits for the server. */
export async function connectToMailbox(
  url: string,
  keep: (client: ImapFlow) => void = () => {},
): Promise<ImapFlow> {
  const { ImapFlow } = await import("imapflow");
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === "imaps:";
  const client = new ImapFlow({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (secure ? 993 : 143),
    secure,
    // A password is sent unencrypted to this machine alone.
    ...(secure || thisMachine.includes(hostname) ? {} : { doSTARTTLS: true }),
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: 20_000,
    greetingTimeout: 15_000,
    socketTimeout: minuteMs,
  });
  // Without a listener an error would end the process; pending calls reject by themselves.
  client.on("error", () => {});
  keep(client);
  await client.connect();
  return client;
}

const thisMachine = ["localhost", "127.0.0.1", "[::1]"];

/** `ours`: our fault (5.5 to 5.7). `nothing`: no failure. `unproven`: which mail it is about can't be proved. */
export async function recordReport(
  db: Db,
  returnPaths: ReturnPaths,
  { message, now }: { message: Uint8Array; now: Date },
): Promise<"recorded" | "known" | "ours" | "nothing" | "unproven"> {
  // Loaded with the first report: its parsers take 8 MB.
  const { readMailReport } = await import("./read-mail-report.ts");
  const report = await readMailReport(message);
  if (!report) return "nothing";
  const returned = await returnPaths.find(db, report.addresses);
  if (!returned) return "unproven";
  // Postfix's words at RCPT TO, whatever its code: the address accepts no mail from outside.
  const verdict = /\brecipient address rejected\b/i.test(report.words) ? "soft" : "us";
  const kind = bounceKindOf(report.words, verdict);
  if (kind === "sender") return "ours";
  const { mailbox } = returned;
  const reportKey = `row ${returned.rowId}`;
  return await db.transaction().execute(async (trx) => {
    const refusal = { kind, answer: report.words } as const;
    const recorded = await recordBounce(trx, { mailbox, refusal, now, reportKey });
    return recorded === "nobody" ? "unproven" : recorded;
  });
}

/** 80 bits in hexadecimal: too many to guess. */
const proofLength = 20;

export type ReturnPaths = ReturnType<typeof createReturnPaths>;

/** A return path for each mail (VERP): a tag (RFC 5233) names the row, and the subscriber's token proves it. */
export function createReturnPaths(address: string) {
  const at = address.lastIndexOf("@");
  const local = address.slice(0, at);
  const domain = address.slice(at + 1);
  const written = new RegExp(
    `${RegExp.escape(local)}\\+([0-9a-z]{1,10})-([0-9a-f]{${proofLength}})@${RegExp.escape(domain)}`,
    "gi",
  );
  return {
    of({ id, email, token }: { id: number; email: string; token: string }): string {
      return `${local}+${id.toString(36)}-${proofOf({ id, email, token })}@${domain}`;
    },

    async find(db: Db, texts: readonly string[]) {
      const found = texts.flatMap((text) => [...text.matchAll(written)]).slice(0, 20);
      for (const [, tag = "", proof = ""] of found) {
        const id = Number.parseInt(tag, 36);
        const mail = await db
          .selectFrom("send_rows")
          .innerJoin("subscribers", "subscribers.id", "reader_id")
          .select(["mailbox_key as mailbox", "email", "token"])
          .where("send_rows.id", "=", id)
          .executeTakeFirst();
        if (!mail) continue;
        const expected = Buffer.from(proofOf({ ...mail, id }));
        const isProved = timingSafeEqual(expected, Buffer.from(proof.toLowerCase()));
        if (isProved) return { rowId: id, mailbox: mail.mailbox };
      }
      return null;
    },
  };
}

function proofOf({ id, email, token }: { id: number; email: string; token: string }): string {
  const proof = createHmac("sha256", token).update(`returned ${id} ${email}`).digest("hex");
  return proof.slice(0, proofLength);
}
