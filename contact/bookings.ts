import * as v from "valibot";
import { withoutUnseen } from "#contracts/text.ts";
import type { Db } from "#db/tables.ts";
import { mailboxKey, readAddress } from "#mail/mailbox-key.ts";
import { addressHash } from "#newsletter/load-subscriber.ts";

const shortText = (max = 300) =>
  v.pipe(
    v.string(),
    v.transform((text) => withoutUnseen(text.toWellFormed()).trim().slice(0, max)),
  );
const time = v.pipe(
  v.string(),
  v.check((text) => !Number.isNaN(Date.parse(text))),
  v.transform((text) => new Date(text).toISOString()),
);

/** Calendly's `invitee.created` and `invitee.canceled`, version 2 of its webhooks. */
const reportSchema = v.object({
  event: v.picklist(["invitee.created", "invitee.canceled"]),
  created_at: time,
  payload: v.object({
    uri: v.pipe(v.string(), v.regex(/^[\x21-\x7e]{1,500}$/)),
    email: v.pipe(
      v.string(),
      v.transform(readAddress),
      v.check((address) => address !== null),
    ),
    name: shortText(),
    created_at: time,
    rescheduled: v.optional(v.nullable(v.boolean())),
    cancellation: v.optional(
      v.nullable(v.object({ reason: v.optional(v.nullable(shortText(1_000))) })),
    ),
    questions_and_answers: v.optional(
      v.pipe(
        v.array(v.object({ question: shortText(), answer: shortText(2_000) })),
        v.maxLength(50),
      ),
      [],
    ),
    scheduled_event: v.object({ name: shortText(), start_time: time }),
  }),
});

type BookingReport = v.InferOutput<typeof reportSchema>;

/** A scheduling provider's report; null where it has another form. */
export function readBookingReport(body: unknown): BookingReport | null {
  const read = v.safeParse(reportSchema, body);
  return read.success ? read.output : null;
}

/**
 * Keeps a reported booking, or that it is cancelled, which is final: who moves a call cancels it and books another.
 * Reports come in any order and more than once; `replayed` is one that changes nothing and was signed no later than the
 * last. Whoever was erased since they booked stays erased.
 */
export async function recordBooking(
  db: Db,
  { event, created_at: reportedAt, payload }: BookingReport,
  { signedAt }: { signedAt: Date },
): Promise<{ ok: true; recorded: 0 | 1 } | { ok: false; reason: "replayed" }> {
  const { uri, name, scheduled_event: call, questions_and_answers: answers } = payload;
  const email = payload.email ?? "";
  const mailbox = mailboxKey(email);
  const signed = signedAt.toISOString();
  const end =
    event === "invitee.canceled"
      ? {
          cancelled_at: reportedAt,
          cancel_reason: payload.rescheduled
            ? "moved to another time"
            : (payload.cancellation?.reason ?? ""),
        }
      : null;
  return await db.transaction().execute(async (trx) => {
    const erased = await trx
      .selectFrom("erasures")
      .select("erased_at")
      .where("address_hash", "=", addressHash(mailbox))
      .where("erased_at", ">=", payload.created_at)
      .executeTakeFirst();
    if (erased) return { ok: true, recorded: 0 } as const;
    const added = await trx
      .insertInto("bookings")
      .values({
        provider_key: uri,
        mailbox_key: mailbox,
        name,
        email,
        title: call.name,
        answers: answers.map(({ question, answer }) => `${question} ${answer}`).join("\n"),
        starts_at: call.start_time,
        booked_at: payload.created_at,
        reported_at: signed,
        ...end,
      })
      .onConflict((conflict) => conflict.column("provider_key").doNothing())
      .returning("id")
      .executeTakeFirst();
    if (added) return { ok: true, recorded: 1 } as const;
    const stored = trx.updateTable("bookings").where("provider_key", "=", uri);
    if (end) {
      const { numUpdatedRows } = await stored
        .set({ ...end, reported_at: signed })
        .where("cancelled_at", "is", null)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) return { ok: true, recorded: 1 } as const;
    }
    const { numUpdatedRows } = await stored
      .set({ reported_at: signed })
      .where("reported_at", "<", signed)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return { ok: true, recorded: 0 } as const;
    return { ok: false, reason: "replayed" } as const;
  });
}

const columns = [
  "id",
  "name",
  "email",
  "title",
  "answers",
  "starts_at as startsAt",
  "booked_at as bookedAt",
  "cancelled_at as cancelledAt",
  "cancel_reason as cancelReason",
] as const;

export type Booking = Awaited<ReturnType<typeof listBookings>>[number];

/**
 * Booked calls: those that start between two moments, the next first, or of a mailbox, the last first. Each has the id of
 * the newest message from the same mailbox, null where there is none.
 */
export async function listBookings(
  db: Db,
  {
    mailbox,
    from,
    until,
    before,
    limit,
  }: { mailbox?: string; from?: string; until?: string; before?: string; limit: number },
) {
  let query = db
    .selectFrom("bookings")
    .select(columns)
    .select((eb) =>
      eb
        .selectFrom("contact_messages")
        .select(({ fn }) => fn.max("contact_messages.id").as("id"))
        .whereRef("contact_messages.mailbox_key", "=", "bookings.mailbox_key")
        .where("binned_at", "is", null)
        .as("messageId"),
    );
  if (mailbox !== undefined) query = query.where("mailbox_key", "=", mailbox);
  if (from) query = query.where("starts_at", ">=", from);
  if (until) query = query.where("starts_at", "<", until).where("cancelled_at", "is", null);
  if (before) query = query.where("starts_at", "<", before);
  const direction = from ? "asc" : "desc";
  return await query
    .orderBy("starts_at", direction)
    .orderBy("id", direction)
    .limit(limit)
    .execute();
}

export async function countBookings(db: Db, { from }: { from: string }): Promise<number> {
  const { count } = await db
    .selectFrom("bookings")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("starts_at", ">=", from)
    .where("cancelled_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
