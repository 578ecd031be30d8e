import { Link, redirect, useLoaderData } from "react-router";
import { shortTorontoTime } from "#content/toronto-time.ts";
import { createDraft, deleteDraft, listDrafts } from "#newsletter/drafts.ts";
import { listIssues } from "#newsletter/issues.ts";
import { listLatestSends } from "#newsletter/sends/list-sends.ts";
import { describePlan } from "#operator/plan-words.ts";
import { listPlans } from "#operator/plans.ts";
import { describeSendState } from "#operator/send-words.ts";
import { deskOf, type PageArgs, readId } from "../desk-context.ts";
import { Act, Empty, Page, When } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

const pageRows = 50;

export async function loader(args: PageArgs) {
  const { db } = deskOf(args);
  const before = readId(new URL(args.request.url).searchParams.get("before"));
  const issues = await listIssues(db, { limit: pageRows + 1, before });
  const sends = await listLatestSends(
    db,
    issues.map(({ id }) => id),
  );
  const drafts = await listDrafts(db);
  const plans = await listPlans(db);
  const shown = issues.slice(0, pageRows);
  return {
    drafts: before
      ? []
      : drafts.map((draft) => ({
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
  if (form.get("intent") === "delete draft") {
    const id = readId(form.get("id"));
    if (id !== undefined) await deleteDraft(db, id);
    return redirect("/issues");
  }
  if (form.get("intent") !== "new") return redirect("/issues");
  return redirect(`/issues/drafts/${await createDraft(db, { now: now() })}`);
}

export default function Issues() {
  const { drafts, issues, older } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Issues"
      actions={
        <Act intent="new" kind="main">
          Write an issue
        </Act>
      }
    >
      {drafts.length > 0 && (
        <section>
          <h2>Drafts</h2>
          <ul className="list">
            {drafts.map((draft) => (
              <li key={draft.id} className="with-button">
                <Link to={`/issues/drafts/${draft.id}`}>
                  <b>{draft.title || "Untitled"}</b>
                  <span>
                    {draft.plan ? describePlan(draft.plan, shortTorontoTime) : "draft, saved"}
                  </span>
                  <When at={draft.saved_at} />
                </Link>
                <Act
                  intent="delete draft"
                  fields={{ id: draft.id }}
                  sure={`Delete the draft “${draft.title || "Untitled"}” for good?`}
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
