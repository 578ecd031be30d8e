import { retention } from "#content/retention.ts";

/** At most so many within the window, which begins with the first; null: no limit. */
export type Limit = { count: number; windowSeconds: number } | null;

export type SubmissionKind = "message" | "signUp";

export type SubmissionLimits = Record<
  SubmissionKind,
  {
    /** By mailbox: the sender's of a message, the subscriber's of a sign-up. */
    perMailbox: Limit;
    /** By network address; an IPv6 network counts as one. */
    perAddress: Limit;
    /**
     * By nothing: all of the site's, without the first of each address in its window. It bounds what a flood can make
     * the site store, and closes the form for nobody who has not just sent it.
     */
    furtherOnes: Limit;
    /** The same of one site (an IPv4 address, 48 bits of IPv6), so that none of them uses up what is there for all. */
    furtherPerSite: Limit;
  }
>;

const hourSeconds = 60 * 60;
/** No window is longer: the privacy policy says so. */
const daySeconds = retention.senderCountHours * hourSeconds;

/**
 * How often each form may be sent. Far above what people do, since a refusal costs a visitor more than a piece of spam
 * costs the firm. However many are sent by however many, they are taken: what is paced then is the mail
 * (`mail/mail-pace.ts`).
 */
export const submissionLimits: SubmissionLimits = {
  message: {
    // Somebody who remembers one thing more, ten times over and again.
    perMailbox: { count: 20, windowSeconds: hourSeconds },
    // An office or a building behind one address, all of it writing within the hour.
    perAddress: { count: 120, windowSeconds: hourSeconds },
    // With the longest words in the longest script, kept twice, 1.2 GB a day; with a usual piece of spam, 40 MB.
    furtherOnes: { count: 20_000, windowSeconds: daySeconds },
    furtherPerSite: { count: 2_000, windowSeconds: daySeconds },
  },
  signUp: {
    // A reader gets one confirmation mail an hour, however often the form is sent; more sends than this are no reader's.
    perMailbox: { count: 10, windowSeconds: hourSeconds },
    // A full hall of a trade show on one wireless network.
    perAddress: { count: 300, windowSeconds: hourSeconds },
    // About 200 MB a day, with the proof of consent and the mail.
    furtherOnes: { count: 200_000, windowSeconds: daySeconds },
    furtherPerSite: { count: 20_000, windowSeconds: daySeconds },
  },
};
