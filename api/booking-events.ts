import { createHmac, timingSafeEqual } from "node:crypto";
import { readBookingReport, recordBooking } from "#contact/bookings.ts";
import type { NewsletterDeps } from "#newsletter/subscribe.ts";

/** Longest difference between the signer's clock and ours. */
const toleranceMs = 3 * 60_000;

/**
 * `booking-events`: a scheduling provider's signed report of a booked or cancelled call, as Calendly sends it → `{ success,
 * recorded }`. A report that was signed more than three minutes ago, or is sent again, is refused.
 */
export function bookingEvents(
  { db, clock = () => new Date() }: Pick<NewsletterDeps, "db" | "clock">,
  key: string,
) {
  return async (call: { body: Record<string, unknown>; text: string; headers: Headers }) => {
    const signedAt = genuineTime(key, call);
    const isTimely =
      signedAt !== null && Math.abs(clock().getTime() - signedAt.getTime()) <= toleranceMs;
    if (!isTimely) return refused("The signature is missing, wrong or too old.");
    const report = readBookingReport(call.body);
    if (report === null) {
      const error = "This is no booked or cancelled call in a known form.";
      return { ok: false, status: 422, error } as const;
    }
    const done = await recordBooking(db, report, { signedAt });
    if (!done.ok) return refused("This report was sent before.");
    return { ok: true, body: { success: true, recorded: done.recorded } } as const;
  };
}

const refused = (error: string) => ({ ok: false, status: 401, error }) as const;

/** When a call was signed, by `t=1764323400,v1=5257a8…`: HMAC-SHA256 of `t.body`. Null where the signature is wrong. */
function genuineTime(
  key: string,
  { text, headers }: { text: string; headers: Headers },
): Date | null {
  const header = headers.get("calendly-webhook-signature") ?? "";
  const [, t = "", v1 = ""] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  const expected = createHmac("sha256", key).update(`${t}.${text}`).digest();
  const given = Buffer.from(v1, "hex");
  return given.length === expected.length && timingSafeEqual(given, expected)
    ? new Date(Number(t) * 1000)
    : null;
}
