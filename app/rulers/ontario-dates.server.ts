type Day = Temporal.PlainDate;

/** The days on which the rules changed. */
const lienActEnds = Temporal.PlainDate.from("2018-07-01");
const promptPaymentBegins = Temporal.PlainDate.from("2019-10-01");
const yearlyReleaseBegins = Temporal.PlainDate.from("2026-01-01");

const isBefore = (day: Day, other: Day) => Temporal.PlainDate.compare(day, other) < 0;

/**
 * A calendar day in years that the rules know, as `<input type=date>` writes it; null for anything else. Days are
 * Toronto's by name: no clock and no zone comes into it.
 */
export function readDay(text: string): Day | null {
  if (!/^20\d\d-\d\d-\d\d$/.test(text)) return null;
  try {
    return Temporal.PlainDate.from(text, { overflow: "reject" });
  } catch {
    return null;
  }
}

/**
 * `days` after an event: its own day isn't counted, the last one is (Legislation Act, 2006, S.O. 2006, c. 21, Sched. F,
 * s. 89(3)).
 */
function after(event: Day, days: number): Day {
  return event.add({ days });
}

/** Since when an owner who doesn't object has a proper invoice, and since when an invoice has days at all. */
type InvoiceRule = "from2026" | "before2026" | "none";

/** The days of an invoice, counted from its receipt (Construction Act, ss. 6.1(2), 6.4(1), 6.4(2), 6.9, 87.3(4) and 87.4(2)). */
export function invoiceDays(received: Day) {
  const rule: InvoiceRule = isBefore(received, promptPaymentBegins)
    ? "none"
    : isBefore(received, yearlyReleaseBegins)
      ? "before2026"
      : "from2026";
  return {
    rule,
    objection: rule === "from2026" ? after(received, 7) : null,
    notice: after(received, 14),
    due: after(received, 28),
    interest: after(received, 29),
  };
}

/** Simple interest of one day, in dollars. */
export function interestPerDay(dollars: number, percentPerYear: number): number {
  return (dollars * percentPerYear) / 100 / 365;
}

/** Cents, so that ten per cent of an estimate is exact. Null for each extra that fits. */
export function estimateRoom(estimateCents: number, extrasCents: readonly number[]) {
  const room = Math.floor(estimateCents / 10);
  let used = 0;
  const after = extrasCents.map((cents) => {
    used += cents;
    return room - used;
  });
  return { cap: estimateCents + room, room, after };
}

type LienRule = "now" | "transition" | "old";

/**
 * The last days of a lien, and the first yearly release of holdback (Construction Act, ss. 26(3) and (4), 31(2), 36(2),
 * 87.3(1) and 87.4(4)). A contract that is older than the yearly release waits for the second anniversary that follows
 * January 1, 2026: an anniversary on that day doesn't follow it. Where the year has no February 29, an anniversary is on
 * the 28th.
 */
export function lienDays(contract: Day, ends: Day) {
  const rule: LienRule = isBefore(contract, lienActEnds)
    ? "old"
    : isBefore(contract, yearlyReleaseBegins)
      ? "transition"
      : "now";
  const preserve = after(ends, rule === "old" ? 45 : 60);
  const perfect = after(preserve, rule === "old" ? 45 : 90);
  if (rule === "old") return { rule, preserve, perfect, yearly: null };
  const second = isBefore(yearlyReleaseBegins, contract.with({ year: 2026 })) ? 2027 : 2028;
  const years = rule === "now" ? 1 : second - contract.year;
  const anniversary = contract.add({ years });
  const notice = after(anniversary, 14);
  const yearly = { anniversary, notice, earliest: after(notice, 60), latest: after(notice, 74) };
  return { rule, preserve, perfect, yearly };
}
