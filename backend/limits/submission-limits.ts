/** At most so many within the window, which begins with the first; null: no limit. */
export type Limit = { count: number; windowSeconds: number } | null;

export type SubmissionKind = "message" | "signUp";

export type SubmissionLimits = Record<
  SubmissionKind,
  {
    /** By network address; an IPv6 network counts as one. */
    perAddress: Limit;
    /** By mailbox: the sender's of a message, the subscriber's of a sign-up. */
    perMailbox: Limit;
    /** By nothing: all of the site's. */
    overall: Limit;
  }
>;

const hourSeconds = 60 * 60;

/**
 * How often each form may be sent. Far above what people do, since a refusal costs a visitor more than a piece of spam
 * costs the firm.
 */
export const submissionLimits: SubmissionLimits = {
  message: {
    // An office or a building behind one address, all of it writing within the hour.
    perAddress: { count: 120, windowSeconds: hourSeconds },
    // Somebody who remembers one thing more, ten times over and again.
    perMailbox: { count: 20, windowSeconds: hourSeconds },
    // What a mail account of a small firm takes in an hour without harm.
    overall: { count: 600, windowSeconds: hourSeconds },
  },
  signUp: {
    // A full hall of a trade show on one wireless network.
    perAddress: { count: 300, windowSeconds: hourSeconds },
    // A reader gets one confirmation mail an hour, however often the form is sent; more sends than this are no reader's.
    perMailbox: { count: 10, windowSeconds: hourSeconds },
    // Twice the whole list of readers within the hour; mail services count what one sender sends an hour in thousands.
    overall: { count: 2_000, windowSeconds: hourSeconds },
  },
};
