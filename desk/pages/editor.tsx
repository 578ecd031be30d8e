import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import {
  Form,
  Link,
  redirect,
  redirectDocument,
  useActionData,
  useLoaderData,
  useRevalidator,
  useSubmit,
} from "react-router";
import { shortTorontoTime } from "#content/toronto-time.ts";
import type { DraftWords } from "#newsletter/issues/draft.ts";
import { findDraft, takePublished } from "#newsletter/issues/drafts.ts";
import { findIssue } from "#newsletter/issues/issues.ts";
import { listPlans, publishNow } from "#newsletter/issues/plans.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";
import { createDraftSaver, isSaved } from "../draft-saving.ts";
import { Writing } from "../editor/writing.tsx";
import { useAskBeforeLeaving } from "../leaving.ts";
import { judge, saveForm } from "../save-draft-form.ts";
import { type Answer, Field, Notice, Submit } from "../ui.tsx";
import {
  ChangedElsewhere,
  Countdown,
  NoPreview,
  Notes,
  Preview,
  SavingStatus,
  SavingTrouble,
} from "./editor-parts.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const desk = deskOf(args);
  const draft = await findDraft(desk.db, idOf(args, "draft"));
  if (!draft) throw new Response(null, { status: 404 });
  if (draft.binned_at !== null) throw redirect("/issues?show=bin");
  const { title, preheader, body } = draft;
  const issue = draft.issue_id === null ? null : await findIssue(desk.db, draft.issue_id);
  const [plan] = await listPlans(desk.db, { draftId: draft.id });
  return {
    id: draft.id,
    /** Another site's draft, at the same address of this machine, has another. */
    keptAs: `draft ${desk.settings.url} ${draft.id} ${draft.created_at}`,
    stored: {
      words: { title, preheader, body } satisfies DraftWords,
      version: draft.version,
      savedAt: draft.saved_at,
    },
    corrects: issue?.number ?? null,
    plan,
  };
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const desk = deskOf(args);
  const { db, now } = desk;
  const id = idOf(args, "draft");
  const form = await args.request.formData();
  const intent = form.get("intent");
  if (intent === "take published") {
    await takePublished(db, { id, now });
    return redirectDocument(`/issues/drafts/${id}`);
  }
  const saved = await saveForm(args, form);
  if (!saved.ok) return { ok: false, problem: saved.problem };
  if (intent !== "publish") return { ok: true, said: "Saved." };
  const { version } = saved.draft;
  const { issue, number, problems } = await judge(desk, saved.draft);
  if (!issue) {
    return problems.length > 0
      ? { ok: false, problem: problems.join(" ") }
      : redirect(`/issues/drafts/${id}/plan`);
  }
  if (form.get("corrects") === "") {
    const problem = `It was published as #${number} meanwhile. Press “Publish the correction” to put this text in its place.`;
    return { ok: false, problem };
  }
  const done = await publishNow(desk, { id, version });
  return done.ok ? redirect(`/issues/${done.issueId}`) : done;
}

export default function DraftPage() {
  const { id } = useLoaderData<typeof loader>();
  return <DraftForm key={id} />;
}

function DraftForm() {
  const { id, keptAs, corrects, plan, stored } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const submit = useSubmit();
  const form = useRef<HTMLFormElement>(null);
  const [saver] = useState(() => createDraftSaver(id, keptAs, stored));
  const state = useSyncExternalStore(saver.subscribe, saver.state, saver.state);
  const [arriving, setArriving] = useState(0);
  const [pressed, setPressed] = useState<string | null>(null);
  const [isShown, setShown] = useState(false);
  const { words, version, trouble, checks } = state;
  const [first] = useState(words);

  useEffect(() => {
    if (form.current) saver.open(form.current);
    return saver.close;
  }, [saver]);
  useEffect(() => void saver.loaded(stored), [saver, stored]);

  const isPlanUnknown = trouble === "planned_soon" && !plan;
  useEffect(() => {
    if (isPlanUnknown) void revalidate();
  }, [isPlanUnknown, revalidate]);

  // Pressed while a picture is on its way, it is posted with it.
  useEffect(() => {
    if (pressed === null || arriving > 0) return;
    setPressed(null);
    void saver.saveThen(async (version) => {
      if (!form.current) return;
      const posted = new FormData(form.current);
      posted.set("version", String(version));
      posted.set("intent", pressed);
      await submit(posted, { method: "post" });
    });
  }, [pressed, arriving, saver, submit]);

  const answer = useActionData<Answer>();
  const [answered, setAnswered] = useState(words);
  useEffect(() => {
    if (answer) setAnswered(saver.state().words);
  }, [answer, saver]);

  const what = arriving > 0 ? "A picture is still on its way" : "Your text isn’t saved yet";
  useAskBeforeLeaving(
    () => (!state.isKept && !isSaved(state)) || arriving > 0,
    `${what}. Leave it?`,
  );

  function onSubmit(event: React.SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { value } = event.nativeEvent.submitter as HTMLButtonElement;
    setPressed(value);
  }

  const isIssueChanged = trouble === null && checks?.isIssueChanged === true;
  const isConflict = trouble === "changed_elsewhere" || isIssueChanged;
  function loadOther() {
    saver.forget();
    if (isIssueChanged) void submit({ intent: "take published" }, { method: "post" });
    else window.location.reload();
  }

  function onKeyDown(event: React.KeyboardEvent) {
    // In a field of one line, Enter would press the first button or begin another.
    const isLine = (event.target as Element).matches("input, [rows='1']");
    if (event.key === "Enter" && isLine) event.preventDefault();
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    // By its place where the layout writes no Latin letters.
    const isS = /^[a-z]$/i.test(event.key) ? /s/i.test(event.key) : event.code === "KeyS";
    if (isS) void saver.save(true);
    else if (event.key === "Enter")
      form.current?.querySelector<HTMLElement>("[value=publish]")?.click();
    else return;
    event.preventDefault();
  }

  const title = words.title.trim() || (corrects === null ? "A new issue" : `Issue #${corrects}`);
  const isPlanned = plan?.problem === null;
  const newDeed = isPlanned ? ["Change", "\u00a0the plan…"] : ["Publish…"];
  const [verb, object] = corrects === null ? newDeed : ["Publish", "\u00a0the correction"];
  const heading = corrects === null ? title : `Correct #${corrects}: ${title}`;
  return (
    <>
      <title>{heading}</title>
      <Form
        method="post"
        ref={form}
        className={isShown ? "stack writing previewed" : "stack writing"}
        autoComplete="off"
        // Not for each key in the letter, which tells of its own changes.
        onInput={({ target }) => (target as Element).matches("[name]") && saver.typed()}
        onSubmit={onSubmit}
        onKeyDown={onKeyDown}
      >
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="corrects" value={corrects ?? ""} />
        <header className="bar">
          <Link className="back" to="/issues" aria-label="Issues">
            ← <span>Issues</span>
          </Link>
          <h1 className="unseen">{heading}</h1>
          <SavingStatus state={state} isArriving={arriving > 0} />
          <div className="actions">
            <button type="button" className="button view" onClick={() => setShown(!isShown)}>
              {isShown ? "Write" : "Preview"}
            </button>
            <Submit
              intent="publish"
              kind="main"
              isOff={isConflict}
              sure={corrects === null ? undefined : "Put this in the place of the published text?"}
              deed={[verb, <span key="object">{object}</span>]}
            />
          </div>
        </header>
        <div className="stack said">
          {corrects !== null && <p className="about">Correcting #{corrects}</p>}
          {plan && (
            <div className={plan.problem ? "notice wrong" : "about"}>
              {plan.problem && <p>It was not published: {plan.problem}</p>}
              <Link className={plan.problem ? "" : "state"} to={`/issues/drafts/${id}/plan`}>
                {plan.problem
                  ? "Choose another hour"
                  : `Planned for ${shortTorontoTime(plan.dueAt)}`}
              </Link>
            </div>
          )}
          <SavingTrouble state={state} />
          {isPlanned && (
            <Countdown
              dueAt={plan.dueAt}
              isWaiting={!isSaved(state)}
              onDue={revalidate}
              onAsked={() => void saver.save(true)}
            />
          )}
          {isConflict && (
            <ChangedElsewhere isIssue={isIssueChanged} text={words.body} onReload={loadOther} />
          )}
          <Notice answer={answered === words ? answer : undefined} />
        </div>
        <div className="columns">
          <div className="stack draft">
            <textarea
              {...{ name: "title", rows: 1, maxLength: 200, defaultValue: first.title }}
              aria-label="Title"
              placeholder="Title"
            />
            <Writing
              {...{ draftId: id, first: first.body, setArriving, saver }}
              isArriving={arriving > 0}
            />
            <Field label="Preview line" help="Optional. Mail programs show it beside the subject.">
              <textarea name="preheader" rows={1} maxLength={140} defaultValue={first.preheader} />
            </Field>
            {checks && words.body && checks.problems.length + checks.notes.length > 0 && (
              <section aria-label="Checks">
                <h2>Before it is published</h2>
                <Notes notes={[...checks.problems, ...checks.notes]} />
              </section>
            )}
          </div>
          {words.body === "" ? (
            <NoPreview />
          ) : (
            <Preview path={`/issues/drafts/${id}`} version={version} />
          )}
        </div>
      </Form>
    </>
  );
}
