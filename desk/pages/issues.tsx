import { Link, redirect, useLoaderData } from "react-router";
import { shortTorontoTime } from "#content/toronto-time.ts";
import { createDraft, deleteDraft, listDrafts } from "#newsletter/drafts.ts";
import { listIssues } from "#newsletter/issues.ts";
import { listLatestSends } from "#newsletter/sends/list-sends.ts";
import { listPlans, type Plan } from "#operator/plans.ts";
import { describeSendState } from "#operator/send-words.ts";
import { deskOf, type PageArgs, readId } from "../desk-context.ts";
import { planAhead } from "../plan-words.ts";
import { Act, Empty, Page, When } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

const pageRows = 50;

export async function loader(args: PageArgs) {
  const { db } = deskOf(args);
  const asked = new URL(args.request.url).searchParams;
  const before = readId(asked.get("before"));
  const issues = await listIssues(db, { limit: pageRows + 1, before });
  const sends = await listLatestSends(
    db,
    issues.map(({ id }) => id),
  );
  const drafts = before ? [] : await listDrafts(db);
  const plans = await listPlans(db);
  const shown = issues.slice(0, pageRows);
  return {
    hasCancelled: asked.has("cancelled"),
    drafts: drafts.map((draft) => ({
      ...draft,
      plan: plans.find(({ draftId }) => draftId === draft.id) ?? null,
    })),
    issues: shown.map((issue) => ({ ...issue, send: sends.get(issue.id) ?? null })),
    older: issues.length > pageRows ? `?before=${shown.at(-1)?.id}` : null,
  };
}

export async function action(args: PageArgs): Promise<Response> {
  const { db, now } = deskOf(args);
  const form = await args.request.formData();
  const intent = form.get("intent");
  if (intent === "new") {
    return redirect(`/issues/drafts/${await createDraft(db, { now: now() })}`);
  }
  const id = readId(form.get("id"));
  if (intent === "delete draft" && id !== undefined) await deleteDraft(db, id);
  return redirect("/issues");
}

function draftState({ plan, issueNumber }: { plan: Plan | null; issueNumber: number | null }) {
  if (plan) return planAhead(plan);
  return issueNumber === null ? "draft, saved" : `correction of #${issueNumber}, saved`;
}

export default function Issues() {
  const { drafts, hasCancelled, issues, older } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Issues"
      actions={
        <Act intent="new" kind="main">
          Write an issue
        </Act>
      }
    >
      {hasCancelled && (
        <p className="notice" role="status">
          The issue is removed, and its planned send is cancelled.
        </p>
      )}
      {drafts.length > 0 && (
        <section>
          <h2>Drafts</h2>
          <ul className="list">
            {drafts.map((draft) => (
              <li key={draft.id} className="with-button">
                <Link to={`/issues/drafts/${draft.id}`}>
                  <b>{draft.title || "Untitled"}</b>
                  <span>{draftState(draft)}</span>
                  <When at={draft.saved_at} />
                </Link>
                <Act
                  intent="delete draft"
                  fields={{ id: draft.id }}
                  sure={
                    draft.issueNumber === null
                      ? `Delete the draft “${draft.title || "Untitled"}” for good?`
                      : `Throw this correction away? #${draft.issueNumber} stays as it is published.`
                  }
                >
                  Delete
                </Act>
              </li>
            ))}
          </ul>
        </section>
      )}
      {issues.length === 0 ? (
        <Empty>No issue has been published yet.</Empty>
      ) : (
        <ul className="list">
          {issues.map((issue) => (
            <li key={issue.id}>
              <Link to={`/issues/${issue.id}`}>
                <b>
                  #{issue.number} {issue.title}
                </b>
                <span>
                  {issue.send
                    ? describeSendState(issue.send, shortTorontoTime)
                    : "published, not sent"}
                </span>
                <time dateTime={issue.publishDate}>{issue.publishDate}</time>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {older && <Link to={older}>Older issues</Link>}
    </Page>
  );
}
