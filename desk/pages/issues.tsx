import { Link, redirect, useLoaderData } from "react-router";
import { foldText, searchWords } from "#content/text.ts";
import { copyIssue, listBin, putDraftInBin, takeFromBin } from "#newsletter/issues/bin.ts";
import { createDraft, listDrafts } from "#newsletter/issues/drafts.ts";
import { listIssues } from "#newsletter/issues/issues.ts";
import { cancelPlan, listPlans } from "#newsletter/issues/plans.ts";
import { deskOf, type PageArgs, partOf, readId, rowsOf } from "../desk-context.ts";
import { describeIssues } from "../issue-rows.ts";
import { Act, Empty, type Line, ListLine, Menu, Page, Sieve } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

const tabs = { published: "Published", planned: "Planned", drafts: "Drafts", bin: "Bin" };

type Tab = keyof typeof tabs;
const tabNames = Object.keys(tabs) as Tab[];

const whenEmpty: Record<Tab, { title: string; words: string }> = {
  published: { title: "No issue is published yet", words: "“Write an issue” begins the first." },
  planned: { title: "Nothing is planned", words: "A draft gets its hour by “Publish…”." },
  drafts: { title: "There is no draft", words: "“Write an issue” begins one." },
  bin: { title: "The bin is empty", words: "What you delete stays here for thirty days." },
};

/** With the button in its menu: its words, and the fields that it posts. */
type Row = Line & { deed: { name: string; intent: string; id: number; kind?: string } };

export async function loader(args: PageArgs) {
  const { db } = deskOf(args);
  const part = partOf(args);
  const { asked, find } = part;
  const show = tabNames.find((tab) => tab === asked.get("show")) ?? "published";
  const issues = await listIssues(db);
  const plans = await listPlans(db);
  const planned = new Set(plans.map(({ draftId }) => draftId));
  const drafts = (await listDrafts(db)).filter(({ id }) => !planned.has(id));
  const binned = await listBin(db);

  const words = searchWords(find);
  function shown<One extends { title: string }>(all: One[]): One[] {
    const found = all.filter(({ title }) => words.every((word) => foldText(title).includes(word)));
    return found.slice(part.offset, part.offset + part.limit);
  }
  const rowsOfTab: Record<Tab, () => Promise<Row[]> | Row[]> = {
    published: async () =>
      (await describeIssues(db, shown(issues))).map(({ id, ...row }) => ({
        ...row,
        deed: { name: "Copy it", intent: "like issue", id },
      })),
    planned: () =>
      shown(plans).map(({ id, draftId, title, words, problem }) => ({
        ...{ to: `/issues/drafts/${draftId}`, title, words, mark: problem ? "bad" : "" },
        deed: { name: "Call it off", intent: "call off", id },
      })),
    drafts: () =>
      shown(drafts).map(({ id, title, issue_id, issueNumber, saved_at: at }) => {
        const corrected = issueNumber === null ? "an issue in the bin" : `#${issueNumber}`;
        const words = issue_id === null ? "" : `Correction of ${corrected}`;
        const deed = { name: "Delete", intent: "delete draft", id };
        return { to: `/issues/drafts/${id}`, title, words, at, deed };
      }),
    bin: () =>
      shown(binned).map(({ kind, id, title, binnedAt: at }) => {
        const words = kind === "draft" ? "Draft" : "Issue, public again once restored";
        const deed = { name: "Restore", intent: "restore", kind, id };
        return { to: null, title, words, at, deed };
      }),
  };
  const [, kind, id] = /^(draft|issue)-(\d+)$/.exec(asked.get("binned") ?? "") ?? [];
  return {
    ...{ show, find },
    counts: {
      ...{ published: issues.length, planned: plans.length },
      ...{ drafts: drafts.length, bin: binned.length },
    },
    newest: issues[0]?.id,
    deleted: kind && id ? { kind, id: Number(id) } : null,
    hasCancelled: asked.has("cancelled"),
    ...rowsOf(await rowsOfTab[show](), part),
  };
}

export async function action(args: PageArgs): Promise<Response> {
  const { db, now } = deskOf(args);
  const form = await args.request.formData();
  const intent = form.get("intent");
  const id = readId(form.get("id"));
  const open = (draft: number | null) =>
    redirect(draft === null ? "/issues" : `/issues/drafts/${draft}`);
  if (intent === "new") return open(await createDraft(db, { now }));
  if (id === undefined) return redirect("/issues");
  if (intent === "like issue") return open(await copyIssue(db, { id, now }));
  if (intent === "call off") {
    await cancelPlan(db, id);
    return redirect("/issues?show=drafts");
  }
  if (intent === "delete draft") {
    await putDraftInBin(db, { id, now });
    return redirect(`/issues?show=drafts&binned=draft-${id}`);
  }
  if (intent === "restore") {
    const kind = String(form.get("kind"));
    const done = await takeFromBin(db, { kind, id, now });
    if (done.ok) return redirect(kind === "draft" ? `/issues/drafts/${id}` : `/issues/${id}`);
  }
  return redirect("/issues");
}

export default function Issues() {
  const { show, find, counts, newest, deleted, hasCancelled, rows, older } =
    useLoaderData<typeof loader>();
  return (
    <Page
      title="Issues"
      actions={
        <>
          {newest !== undefined && (
            <Act intent="like issue" fields={{ id: newest }} deed="Copy the last issue" />
          )}
          <Act intent="new" kind="main" deed="Write an issue" />
        </>
      }
    >
      {deleted && (
        <div className="notice actions">
          <p role="status">
            {deleted.kind === "draft" ? "The draft" : "The issue"} is in the bin for thirty days.
            {hasCancelled && " Its planned send is cancelled."}
          </p>
          <Act intent="restore" fields={deleted} deed="Undo" />
        </div>
      )}
      <Sieve
        {...{ label: "Which issues", by: "show", names: tabs, counts, chosen: show, find }}
        placeholder="Search titles"
      />
      {rows.length === 0 && (
        <Empty {...(find ? { title: "No title here has these words" } : whenEmpty[show])} />
      )}
      <ul className="list">
        {rows.map(({ deed: { name, intent, ...fields }, ...row }) => (
          <li key={`${fields.kind} ${fields.id}`} className="with-button">
            <ListLine {...row} />
            <Menu label={`More for ${row.title || "Untitled"}`}>
              <Act intent={intent} fields={fields} deed={name} />
            </Menu>
          </li>
        ))}
      </ul>
      {older && <Link to={older}>Earlier ones</Link>}
    </Page>
  );
}
