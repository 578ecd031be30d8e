// The server as it is started by `npm start`, with limits on both forms that count as always and refuse nobody: the load comes
// from one address, so that all of it meets in the same counts.
import type { SubmissionLimits } from "#api/limits.ts";
import { openBuiltSite } from "#server/built-site.ts";
import { run } from "#server/run.ts";

const wide = { count: 1_000_000_000, windowSeconds: 60 * 60 };
const limits = { perMailbox: wide, perAddress: wide };
const submissionLimits: SubmissionLimits = { message: limits, signUp: limits };

await run(openBuiltSite, { submissionLimits, outboxLimits: { paces: {} } });
