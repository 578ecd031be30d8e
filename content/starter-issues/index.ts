import { changeOrders } from "./change-orders.ts";
import { firstReply } from "./first-reply.ts";
import { missedCalls } from "./missed-calls.ts";
import type { StarterIssue } from "./starter-issue.ts";

/** The three issues of a new archive in publishing order, oldest first: for a contractor, an agent, a renovator. */
export const starterIssues: readonly StarterIssue[] = [missedCalls, firstReply, changeOrders];
