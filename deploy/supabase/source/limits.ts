import { createHmac } from "node:crypto";
import type { Pool } from "pg";
import { tooMany } from "#api/function-call.ts";
import { type Limit, networkKey, type SubmissionKind, submissionLimits } from "#api/limits.ts";
import { findMailbox } from "#mail/mailbox-key.ts";
import { type Answer, type Deps, refused } from "./call.ts";

const longestWindowSeconds = Math.max(
  ...Object.values(submissionLimits).map(({ perMailbox, perAddress }) =>
    Math.max(perMailbox?.windowSeconds ?? 0, perAddress?.windowSeconds ?? 0),
  ),
);
/** A later call deletes the rest. */
const forgottenMaxRows = 1_000;

/**
 * Counts a submission by mailbox and network; returns the refusal if either has sent too many. Both are stored only as
 * hashes with the functions' secret, as the privacy policy says.
 */
export async function refusalOfTooMany(
  { pool, settings }: Deps,
  form: SubmissionKind,
  { email, visitor }: { email: string; visitor: string | null },
): Promise<Answer | null> {
  const { perMailbox, perAddress } = submissionLimits[form];
  const senders: [string, Limit][] = [
    [`mailbox ${findMailbox(email) ?? email}`, perMailbox],
    ...(visitor === null
      ? []
      : [[`network ${networkKey(visitor)}`, perAddress] as [string, Limit]]),
  ];
  let waitSeconds = 0;
  for (const [sender, limit] of senders) {
    const hashed = createHmac("sha256", settings.databaseUrl).update(sender).digest("base64url");
    if (limit) waitSeconds = Math.max(waitSeconds, await take(pool, form, hashed, limit));
  }
  return waitSeconds === 0 ? null : refused(tooMany(form, waitSeconds));
}

/** Returns the seconds to wait, or 0. A window begins with its first submission. */
async function take(
  pool: Pool,
  form: SubmissionKind,
  sender: string,
  { count, windowSeconds }: NonNullable<Limit>,
): Promise<number> {
  const { rows } = await pool.query<{ sent: number; left: number }>(
    `insert into chalkline.submission_counts as counted (form, sender, began_at, sent)
     values ($1, $2, now(), 1)
     on conflict (form, sender) do update set
       sent = case when counted.began_at < now() - make_interval(secs => $3) then 1 else counted.sent + 1 end,
       began_at = case when counted.began_at < now() - make_interval(secs => $3) then now() else counted.began_at end
     returning sent, ceil(extract(epoch from began_at + make_interval(secs => $3) - now()))::int as left`,
    [form, sender, windowSeconds],
  );
  const [row] = rows;
  return row && row.sent > count ? Math.max(1, row.left) : 0;
}

/** Deletes expired windows without waiting for locks. */
export async function forgetPastCounts(pool: Pool): Promise<void> {
  await pool.query(
    `delete from chalkline.submission_counts where (form, sender) in (
       select form, sender from chalkline.submission_counts
       where began_at < now() - make_interval(secs => $1)
       limit $2 for update skip locked)`,
    [longestWindowSeconds, forgottenMaxRows],
  );
}
