import { redirect, useActionData, useLoaderData } from "react-router";
import { mondayMorning, torontoDate, torontoTime } from "#content/toronto-time.ts";
import { findDraft } from "#newsletter/issues/drafts.ts";
import {
  announcePlan,
  cancelPlan,
  listPlans,
  planDraft,
  publishNow,
} from "#newsletter/issues/plans.ts";
import { countAudience, missingToSend } from "#newsletter/sends/sends.ts";
import { sendTestDraft } from "#newsletter/sends/trials.ts";
import { deskOf, hourOf, idOf, ownMailbox, type PageArgs, readId } from "../desk-context.ts";
import { judge } from "../save-draft-form.ts";
import { Act, type Answer, nothingDone, Page } from "../ui.tsx";
import { NoPreview, Preview } from "./editor-parts.tsx";
import { Sheet } from "./sheet.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const desk = deskOf(args);
  const { db, config, now } = desk;
  const draft = await findDraft(db, idOf(args, "draft"));
  if (!draft) throw new Response(null, { status: 404 });
  const { issue, problems, notes } = await judge(desk, draft);
  if (issue) throw redirect(`/issues/${issue.id}`);
  const [plan] = await listPlans(db, { draftId: draft.id });
  const recipients = await countAudience(db, null);
  const hour = plan && plan.problem === null ? torontoTime(plan.dueAt).replace(" ", "T") : null;
  return {
    id: draft.id,
    planned: plan && {
      id: plan.id,
      isStopped: hour === null,
      words: announcePlan(plan, recipients),
    },
    sheet: {
      title: draft.title || "Untitled",
      version: draft.version,
      isPublished: false,
      ...{ problems, notes, recipients },
      missing: missingToSend(config).map(({ problem }) => problem),
      ...{ monday: mondayMorning(now).value, today: torontoDate(now), testTo: ownMailbox(config) },
      plan: plan && { hour, audience: plan.audience },
    },
  };
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const desk = deskOf(args);
  const { db } = desk;
  const draftId = idOf(args, "draft");
  const form = await args.request.formData();
  const intent = form.get("intent");
  if (intent === "cancel") {
    const id = readId(form.get("plan"));
    if (id !== undefined) await cancelPlan(db, id);
    return redirect(`/issues/drafts/${draftId}`);
  }
  if (intent === "test") {
    const sent = await sendTestDraft(desk, { draftId, to: String(form.get("to")).trim() });
    return sent.ok ? { ok: true, said: sent.said } : sent;
  }
  if (intent !== "publish") return nothingDone;
  const hour = hourOf(form);
  if (!hour.ok) return hour;
  const audience = form.get("send") === "yes" ? "all" : null;
  if (hour.at) return await planDraft(desk, { draftId, at: hour.at, audience });
  const version = readId(form.get("version")) ?? 0;
  const done = await publishNow(desk, { id: draftId, version, audience });
  if (!done.ok) return done;
  return redirect(done.sendId ? `/sends/${done.sendId}` : `/issues/${done.issueId}`);
}

export default function PublishPage() {
  const { id, planned, sheet } = useLoaderData<typeof loader>();
  const answer = useActionData<Answer>();
  return (
    <Page
      title={`Publish: ${sheet.title}`}
      back={{ to: `/issues/drafts/${id}`, name: "The draft" }}
      actions={
        planned &&
        !planned.isStopped && (
          <Act intent="cancel" fields={{ plan: planned.id }} kind="danger" deed="Call it off" />
        )
      }
    >
      <div className="columns">
        <div className="stack">
          {planned && !answer?.ok && (
            <p className={planned.isStopped ? "notice wrong" : "notice"}>{planned.words}</p>
          )}
          <section>
            <Sheet {...sheet} />
          </section>
        </div>
        {sheet.problems.length === 0 ? (
          <Preview key={sheet.plan?.hour} path={`/issues/drafts/${id}`} version={sheet.version} />
        ) : (
          <NoPreview />
        )}
      </div>
    </Page>
  );
}
