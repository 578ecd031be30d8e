import { changeOrders } from "./change-orders.ts";
import { firstReply } from "./first-reply.ts";
import { missedCalls } from "./missed-calls.ts";
import type { StarterIssue } from "./starter-issue.ts";

/** The three issues of a new archive, oldest first. */
export const starterIssues: readonly StarterIssue[] = [missedCalls, firstReply, changeOrders];
