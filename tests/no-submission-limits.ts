import type { SubmissionLimits } from "#api/limits.ts";

const none = { perMailbox: null, perAddress: null };

/** For what sends more from one address than people do, and is not about that. */
export const noSubmissionLimits: SubmissionLimits = { message: none, signUp: none };
