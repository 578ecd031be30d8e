import { setTimeout } from "node:timers/promises";
import { Suspense } from "react";
import { Await, Link, redirect, useLoaderData } from "react-router";
import { number } from "#content/amounts.ts";
import { shortTorontoTime } from "#content/toronto-time.ts";
import { hasWords } from "#db/hold-text.ts";
import { copyIssue, countBin, putDraftInBin, takeFromBin } from "#newsletter/issues/bin.ts";
import { createDraft, listDrafts } from "#newsletter/issues/drafts.ts";
import { listIssues } from "#newsletter/issues/issues.ts";
import { cancelPlan, listPlans } from "#newsletter/issues/plans.ts";
import { describeSendState } from "#newsletter/sends/send-words.ts";
import { listLatestSends, readIssueEffects } from "#newsletter/sends/sends.ts";
import { deskOf, inParts, type PageArgs, partOf, readId } from "../desk-context.ts";
import { planAhead } from "../plan-words.ts";
import { Act, Day, Empty, Page, Parts, Search, When } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

const pageRows = 50;
const draftRows = 20;
const effectsShown = 12;

export async function loader(args: PageArgs) {
  const { db, now } = deskOf(args);
  const asked = new URL(args.request.url).searchParams;
  const before = readId(asked.get("before"));
  const isDrafts = asked.get("show") === "drafts";
  const find = asked.get("find") ?? "";
  const fits = ({ title }: { title: string }) => hasWords(title, find);
  const few = isDrafts ? partOf(args.request) : { limit: draftRows + 1, offset: 0 };
  const part = find ? { limit: 10_000, offset: 0 } : few;
  const drafts = isDrafts || before === undefined ? (await listDrafts(db, part)).filter(fits) : [];
  const plans = await listPlans(db, { draftIds: drafts.map(({ id }) => id) });
  const limit = find ? undefined : pageRows + 1;
  const issues = isDrafts ? [] : (await listIssues(db, { limit, before })).filter(fits);
  const shown = issues.slice(0, pageRows);
  if (issues.length > pageRows) asked.set("before", String(shown.at(-1)?.id));
  const sends = await listLatestSends(
    db,
    shown.map(({ id }) => id),
  );
  return {
    isDrafts,
    find,
    hasCancelled: asked.has("cancelled"),
    binned: readBinned(asked.get("binned")),
    inBin: await countBin(db),
    drafts: inParts(
      drafts.map((draft) => ({
        ...draft,
        plan: plans.find(({ draftId }) => draftId === draft.id) ?? null,
      })),
      part,
    ),
    // Comes after the page: what a year of issues came to is millions of rows to count.
    effects:
      !isDrafts && before === undefined
        ? setTimeout(20).then(() => readIssueEffects(db, { now: now(), limit: effectsShown }))
        : Promise.resolve([]),
    issues: shown.map((issue) => ({ ...issue, send: sends.get(issue.id) ?? null })),
    older: issues.length > pageRows ? `?${asked}` : null,
  };
}

export async function action(args: PageArgs): Promise<Response> {
  const { db, now } = deskOf(args);
  const form = await args.request.formData();
  const intent = form.get("intent");
  const id = readId(form.get("id"));
  const at = now();
  const open = (draft: number | null) =>
    redirect(draft === null ? "/issues" : `/issues/drafts/${draft}`);
  if (intent === "new") return open(await createDraft(db, { now: at }));
  if (id === undefined) return redirect("/issues");
  if (intent === "call off") await cancelPlan(db, id);
  if (intent === "like issue") return open(await copyIssue(db, { id, now: at }));
  if (intent === "delete draft") {
    await putDraftInBin(db, { id, now: at });
    return redirect(`/issues?binned=draft-${id}`);
  }
  if (intent === "restore") {
    const kind = String(form.get("kind"));
    const done = await takeFromBin(db, { kind, id, now: at });
    if (done.ok) return redirect(kind === "draft" ? `/issues/drafts/${id}` : `/issues/${id}`);
  }
  return redirect("/issues");
}

function readBinned(text: string | null) {
  const [, kind, id] = /^(draft|issue)-(\d+)$/.exec(text ?? "") ?? [];
  return kind && id ? { kind, id: Number(id) } : null;
}

type Draft = ReturnType<typeof useLoaderData<typeof loader>>["drafts"]["rows"][number];

function draftState({ plan, issue_id, issueNumber }: Draft) {
  if (plan) return planAhead(plan);
  if (issue_id === null) return "draft, saved";
  return issueNumber === null ? "of an issue in the bin" : `correction of #${issueNumber}, saved`;
}

type Effect = Awaited<ReturnType<typeof readIssueEffects>>[number];

function describeEffect(effect: Effect | undefined): string {
  if (!effect) return "";
  const { delivered, joined, left } = effect;
  return [
    delivered !== null && `, ${number(delivered)} delivered`,
    joined > 0 && `, ${number(joined)} joined since`,
    left > 0 && `, ${number(left)} left since`,
  ]
    .filter(Boolean)
    .join("");
}

export default function Issues() {
  const { isDrafts, find, hasCancelled, binned, drafts, inBin, issues, effects, older } =
    useLoaderData<typeof loader>();
  const [newest] = issues;
  return (
    <Page
      title="Issues"
      actions={
        <>
          {newest && (
            <Act intent="like issue" fields={{ id: newest.id }}>
              Copy the last issue
            </Act>
          )}
          <Act intent="new" kind="main">
            Write an issue
          </Act>
        </>
      }
    >
      {binned && (
        <div className="notice actions">
          <p role="status">
            {binned.kind === "draft" ? "The draft" : "The issue"} is in the bin for thirty days.
            {hasCancelled && " Its planned send is cancelled."}
          </p>
          <Act intent="restore" fields={binned}>
            Undo
          </Act>
        </div>
      )}
      {(find !== "" || drafts.rows.length + issues.length > 0) && (
        <Search find={find} placeholder="Words of a title" />
      )}
      {drafts.rows.length > 0 && (
        <section>
          <h2>Drafts</h2>
          <ul className="list">
            {drafts.rows.map((draft) => (
              <li key={draft.id} className="with-button">
                <Link to={`/issues/drafts/${draft.id}`}>
                  <b>{draft.title || "Untitled"}</b>
                  <span>{draftState(draft)}</span>
                  <When at={draft.saved_at} />
                </Link>
                <div className="actions">
                  {draft.plan ? (
                    <>
                      <Link to={`/issues/drafts/${draft.id}/plan`} className="button">
                        Change
                      </Link>
                      <Act intent="call off" fields={{ id: draft.plan.id }}>
                        Call off
                      </Act>
                    </>
                  ) : (
                    <Act intent="delete draft" fields={{ id: draft.id }}>
                      Delete
                    </Act>
                  )}
                </div>
              </li>
            ))}
          </ul>
          <Parts {...drafts} of="?show=drafts" name="drafts" />
        </section>
      )}
      {!isDrafts && issues.length === 0 && (
        <Empty>
          {find
            ? "No published issue has these words in its title."
            : "No issue has been published yet. “Write an issue” begins the first."}
        </Empty>
      )}
      {issues.length > 0 && (
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
                  <Suspense>
                    <Await resolve={effects} errorElement=", what came of it can’t be read">
                      {(found) => describeEffect(found.find(({ id }) => id === issue.id))}
                    </Await>
                  </Suspense>
                </span>
                <Day at={issue.publishDate} />
              </Link>
            </li>
          ))}
        </ul>
      )}
      <p className="actions">
        {older && <Link to={older}>Older issues</Link>}
        {inBin > 0 && <Link to="/issues/bin">Bin ({inBin})</Link>}
      </p>
    </Page>
  );
}
