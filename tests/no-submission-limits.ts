import type { SubmissionLimits } from "#api/limits/submission-limits.ts";

const none = { perMailbox: null, perAddress: null, furtherOnes: null, furtherPerSite: null };

/** For what sends more from one address than people do, and is not about that. */
export const noSubmissionLimits: SubmissionLimits = { message: none, signUp: none };
