import type { Db, SendState } from "#db/tables.ts";
import { describeEffects, readIssueEffects } from "#newsletter/issues/issue-effects.ts";
import type { ListedIssue } from "#newsletter/issues/issues.ts";
import { listLatestSends } from "#newsletter/sends/sends.ts";

/** The mark beside a send's words. */
export function sendMark({ state, trouble }: { state: SendState; trouble: string | null }): string {
  if (state === "sending") return trouble ? "bad" : "";
  return { waiting: "", paused: "bad", finished: "good", cancelled: "off" }[state];
}

/** Published issues as rows, with what they did or how far their send is. */
export async function describeIssues(db: Db, issues: readonly ListedIssue[]) {
  const ids = issues.map(({ id }) => id);
  const sends = await listLatestSends(db, ids);
  const effects = await readIssueEffects(db, ids);
  return issues.map(({ id, number, title, publishDate: at }) => {
    const send = sends.get(id);
    const found = effects.get(id);
    const isSent = send?.state === "finished" && found;
    const words = isSent ? describeEffects(found) : (send?.words ?? "Not mailed");
    const mark = send && sendMark(send);
    return { ...{ id, at, words, mark }, to: `/issues/${id}`, title: `#${number} ${title}` };
  });
}
