import type { OutboxKind } from "./payloads.ts";

/** So many mails at once after a quiet time, and from then on one in each interval. Milliseconds. */
export type MailPace = { name: string; atOnce: number; everyMs: number };

const hourMs = 60 * 60 * 1000;

/**
 * What a flood of submissions waits for: they are all taken, and their mail goes out no faster than this. Any hour sees
 * `atOnce` and an hour's intervals at most. What isn't named here is not paced.
 */
export const defaultMailPaces: Partial<Record<OutboxKind, MailPace>> = {
  // 600 within an hour, which a mail account of a small firm takes without harm; then one in twelve seconds.
  "contact-email": { name: "messages", atOnce: 300, everyMs: hourMs / 300 },
  // 2,000 within an hour; mail services count what one sender sends an hour in thousands.
  "confirmation-email": { name: "confirmations", atOnce: 1_000, everyMs: hourMs / 1_000 },
  // Far more readers than ever move within an hour.
  "address-change-email": { name: "address changes", atOnce: 300, everyMs: hourMs / 300 },
};
