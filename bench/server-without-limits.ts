// The server as it is started by `npm start`, but for the limits on both forms: a load generator is one very busy address.
import { run } from "#server/run.ts";
import { openBuiltSite } from "#server/start-server.ts";
import { noSubmissionLimits } from "#tests/no-submission-limits.ts";

await run(openBuiltSite, {
  submissionLimits: noSubmissionLimits,
  // The mail is written beside the sign-ups, as it is while it isn't paced.
  outboxLimits: { paces: {} },
});
