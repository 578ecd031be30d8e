import { parentPort } from "node:worker_threads";
import { prepareIssueBody } from "./prepare-issue-body.ts";

// The thread of `createBodyPreparer`: a stored body in, what the page shows of it out.
parentPort?.on("message", (contentMarkdown: string) => {
  parentPort?.postMessage(prepareIssueBody(contentMarkdown));
});
