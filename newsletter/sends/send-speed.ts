import type { MailPace } from "#mail/mail-pace.ts";

/** All copies of the server on one database keep to it together. */
const paceName = "newsletter";

/**
 * What each answer of the mail server makes of the rate. Nine in ten accepted hold it; one in five put off halves it
 * within seconds.
 */
const factors = { accepted: 1.02, put_off: 0.9, too_fast: 0.5 };

/** A send is never slower than this part of its rate, so that it notices when it may be faster. */
const slowestPart = 1 / 50;

export type SendSpeed = ReturnType<typeof createSendSpeed>;

/**
 * How fast a send goes: at `mailsPerSecond`, less when the server asks for patience (421, 4xx), and back up with each mail
 * that it takes (additive increase and multiplicative decrease, as TCP does it, with a gentler rise).
 */
export function createSendSpeed(mailsPerSecond: number) {
  let rate = mailsPerSecond;
  return {
    note(answer: keyof typeof factors) {
      rate = Math.min(
        mailsPerSecond,
        Math.max(mailsPerSecond * slowestPart, rate * factors[answer]),
      );
    },
    /** Mails a second at this moment. */
    get rate() {
      return rate;
    },
    /** A second's mails at once at the most: more would be a burst. */
    pace(): MailPace {
      return { name: paceName, atOnce: Math.max(1, Math.ceil(rate)), everyMs: 1000 / rate };
    },
  };
}
