import type { SubmissionLimits } from "#server/api/limits.ts";

const most = { count: 1_000_000_000, windowSeconds: 3_600 };
const none = { perMailbox: most, perAddress: most };

/** For load generators, whose senders all share one address. */
export const noSubmissionLimits: SubmissionLimits = { message: none, signUp: none };
