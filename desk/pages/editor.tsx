import { useEffect, useReducer, useRef, useState } from "react";
import {
  Form,
  Link,
  redirect,
  redirectDocument,
  useActionData,
  useBlocker,
  useLoaderData,
  useSubmit,
} from "react-router";
import { shortTorontoTime } from "#content/toronto-time.ts";
import { type DraftWords, readDraftWords } from "#contracts/draft.ts";
import { findDraft, settleDraft } from "#newsletter/drafts.ts";
import { describePlanRefusal } from "#operator/plan-words.ts";
import { listPlans, type Plan, publishOrPlanDraft } from "#operator/plans.ts";
import { deskOf, idOf, type PageArgs, readId } from "../desk-context.ts";
import {
  beginSaving,
  eventOf,
  isReadyToPost,
  isSaved,
  next,
  type Saving,
  waitMs,
} from "../draft-saving.ts";
import { type Editor, openEditor } from "../editor.client.ts";
import { forgetKept, keepWords, readKept } from "../kept-words.client.ts";
import { judge, saveForm } from "../save-draft-form.ts";
import { type Answer, Field, Page, Submit } from "../ui.tsx";
import { Checks, Comparison, Preview, SavingNotice } from "./editor-parts.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const desk = deskOf(args);
  const draft = await findDraft(desk.db, idOf(args, "draft"));
  if (!draft) throw new Response(null, { status: 404 });
  const { title, preheader, publish_date, format, body } = draft;
  const { issue, number, change, problems, notes } = await judge(desk, draft);
  const [plan] = await listPlans(desk.db, { draftId: draft.id });
  return {
    id: draft.id,
    /** Another site's draft, at the same address of this machine, has another. */
    keptAs: `draft ${desk.settings.url} ${draft.id} ${draft.created_at}`,
    stored: {
      words: { title, preheader, publish_date, format, body } satisfies DraftWords,
      version: draft.version,
      savedAt: draft.saved_at,
    },
    corrects: issue && number,
    plan,
    change,
    checks: { problems, notes },
  };
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const desk = deskOf(args);
  const { db, config, now } = desk;
  const id = idOf(args, "draft");
  const form = await args.request.formData();
  const intent = form.get("intent");
  if (intent === "keep own" || intent === "keep issue") {
    const keep = intent === "keep own" ? "own" : "issue";
    const version = readId(form.get("version")) ?? 0;
    const seen = String(form.get("seen"));
    const settled = await settleDraft(db, { id, version, keep, seen, now: now() });
    if (!settled.ok) return { ok: false, problems: [refusals[settled.reason]] };
    if (keep === "issue") return redirectDocument(`/issues/drafts/${id}`);
    return { ok: true, said: "The draft’s text stays. It is not published yet." };
  }
  const saved = await saveForm(desk, args, form);
  if (!saved.ok) return { ok: false, problems: [refusals[saved.reason]] };
  if (intent !== "publish") return { ok: true, said: "Saved." };
  const { version } = saved.draft;
  const done = await publishOrPlanDraft({ db, config, now: now() }, { id, version });
  if (done.ok) {
    return redirect("issueId" in done ? `/issues/${done.issueId}` : `/issues/drafts/${id}/plan`);
  }
  if (done.reason === "changed_elsewhere" || done.reason === "issue_changed") {
    return { ok: false, problems: [refusals[done.reason]] };
  }
  return { ok: false, problems: [describePlanRefusal(done)] };
}

const refusals = {
  changed_elsewhere: "It was changed elsewhere meanwhile. Nothing was done.",
  issue_changed: "The published issue was changed elsewhere meanwhile. Look at both texts first.",
  unknown_draft: "This draft was deleted in another window.",
  too_long: "The text is longer than an issue may be. It was not saved.",
};

export default function DraftPage() {
  const { id, corrects, plan } = useLoaderData<typeof loader>();
  const [isAnswerOld, setIsAnswerOld] = useState(false);
  return (
    <Page
      isAnswerOld={isAnswerOld}
      title={corrects === null ? "Write an issue" : `Correct #${corrects}`}
      back={{ to: "/issues", name: "Issues" }}
      actions={
        corrects === null && (
          <Link className="button" to={`/issues/drafts/${id}/plan`}>
            {plan ? planLink(plan) : "Publish at an hour"}
          </Link>
        )
      }
    >
      <DraftForm key={id} setIsAnswerOld={setIsAnswerOld} />
    </Page>
  );
}

function planLink({ problem, dueAt }: Plan): string {
  return problem === null ? `Planned for ${shortTorontoTime(dueAt)}` : "Not published: see why";
}

function DraftForm({ setIsAnswerOld }: { setIsAnswerOld: (isOld: boolean) => void }) {
  const { id, keptAs, corrects, change, stored, ...loaded } = useLoaderData<typeof loader>();
  const form = useRef<HTMLFormElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTextAreaElement>(null);
  const [state, dispatch] = useReducer(next, stored, beginSaving);
  const [format, setFormat] = useState(state.words.format);
  const [checks, setChecks] = useState(loaded.checks);
  const { words, version, sending } = state;
  const [first] = useState(words);

  // Restores words that an earlier visit could not save, or that were typed before the scripts came.
  useEffect(() => {
    if (!form.current) return;
    const kept = readKept(keptAs);
    if (!kept)
      return dispatch({ type: "typed", words: readDraftWords(new FormData(form.current)) });
    for (const [name, value] of Object.entries(kept.words)) {
      const field = form.current.elements.namedItem(name);
      if (field && "value" in field) field.value = value;
    }
    setFormat(kept.words.format);
    dispatch({ type: "found", ...kept });
  }, [keptAs]);

  useEffect(() => {
    if (isSaved(state)) forgetKept(keptAs);
    else if (!keepWords(keptAs, state) && state.isKept) dispatch({ type: "not kept" });
  }, [keptAs, state]);

  const wait = waitMs(state);
  useEffect(() => {
    if (wait === null || !words) return;
    const timer = setTimeout(() => dispatch({ type: "due" }), wait);
    return () => clearTimeout(timer);
  }, [wait, words]);

  useEffect(() => {
    if (!sending) return;
    void post(id, sending, version).then(async (answer) => {
      const event = await eventOf(answer);
      if (event.type === "answered" && event.saved.ok) setChecks(event.saved);
      dispatch(event);
    });
  }, [id, sending, version]);

  const submit = useSubmit();
  const isReady = isReadyToPost(state);
  useEffect(() => {
    if (!isReady || !form.current) return;
    const posted = new FormData(form.current);
    posted.set("intent", state.pressed ?? "");
    if (change) posted.set("seen", change.fingerprint);
    dispatch({ type: "posted" });
    void submit(posted, { method: "post" });
  }, [isReady, state.pressed, change, submit]);

  const answer = useActionData();
  useEffect(() => {
    if (!answer) return;
    dispatch({ type: "returned" });
    setIsAnswerOld(false);
  }, [answer, setIsAnswerOld]);
  const isTyping = !isSaved(state);
  useEffect(() => {
    if (isTyping) setIsAnswerOld(true);
  }, [isTyping, setIsAnswerOld]);
  useEffect(() => dispatch({ type: "loaded", ...stored }), [stored]);

  useLeaving(id, state);

  useEffect(() => {
    if (!box.current || !body.current) return;
    const area = body.current;
    const opened = openEditor({
      parent: box.current,
      text: area.value,
      format,
      label: "Text",
      onChange(text) {
        area.value = text;
        if (area.form) dispatch({ type: "typed", words: readDraftWords(new FormData(area.form)) });
      },
      onPictures: (files) => void addPictures(opened, files, { id, format }),
    });
    area.hidden = true;
    return () => {
      opened.destroy();
      area.hidden = false;
    };
  }, [format, id]);

  function onTyped(event: React.FormEvent<HTMLFormElement>) {
    dispatch({ type: "typed", words: readDraftWords(new FormData(event.currentTarget)) });
  }

  /** Whatever is pressed waits for the text to be saved; without scripts each is a form's. */
  function onSubmit(event: React.SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const button = event.nativeEvent.submitter;
    const intent = button instanceof HTMLButtonElement ? button.value : "save";
    dispatch(intent === "save" ? { type: "due" } : { type: "pressed", intent });
  }

  return (
    <div className="writing">
      <div className="stack">
        <SavingNotice
          state={state}
          onKeepMine={() => dispatch({ type: "mine chosen" })}
          onTakeTheirs={() => {
            forgetKept(keptAs);
            window.location.reload();
          }}
        />
        {change && (
          <Form method="post" onSubmit={onSubmit}>
            <input type="hidden" name="seen" value={change.fingerprint} />
            <input type="hidden" name="version" value={version} />
            <Comparison {...change} />
          </Form>
        )}
        <Form
          method="post"
          ref={form}
          className="stack"
          autoComplete="off"
          onInput={onTyped}
          onSubmit={onSubmit}
        >
          <input type="hidden" name="version" value={version} />
          <Field label="Title">
            <input name="title" defaultValue={first.title} maxLength={200} />
          </Field>
          <Field label="The line beside the subject" help="Mail programs show it in the inbox.">
            <input name="preheader" defaultValue={first.preheader} maxLength={140} />
          </Field>
          <div className="row">
            <Field
              label="Date"
              help={
                corrects === null
                  ? "Empty means the day of publication."
                  : "Empty keeps the day that it has."
              }
            >
              <input type="date" name="publish_date" defaultValue={first.publish_date} />
            </Field>
            <Field label="Written in">
              <select
                name="format"
                value={format}
                onChange={(event) => setFormat(event.target.value as typeof format)}
              >
                <option value="markdown">Markdown</option>
                <option value="html">HTML</option>
              </select>
            </Field>
          </div>
          <div className="field">
            <span>Text</span>
            <small>Paste or drop a picture where it belongs.</small>
            <div ref={box} className="editor" />
            <textarea
              ref={body}
              name="body"
              aria-label="Text"
              rows={20}
              defaultValue={first.body}
            />
          </div>
          <Checks {...checks} />
          <div className="actions">
            <Submit
              intent="publish"
              kind="main"
              sure={
                corrects === null
                  ? "Publish it on the site? Nothing is mailed yet."
                  : "Put this in the place of the published text?"
              }
            >
              {corrects === null ? "Publish" : "Publish the correction"}
            </Submit>
            <Submit intent="save">Save</Submit>
          </div>
        </Form>
      </div>
      <Preview draftId={id} version={version} />
    </div>
  );
}

/** Saves what is left where the page is left by a link, and asks first where the text would be lost. */
function useLeaving(id: number, state: Saving): void {
  const latest = useRef(state);
  useEffect(() => {
    latest.current = state;
  }, [state]);
  useEffect(
    () => () => {
      const { words, version } = latest.current;
      if (waitMs(latest.current) !== null) void post(id, words, version);
    },
    [id],
  );
  const isLost = !state.isKept && !isSaved(state);
  const blocker = useBlocker(isLost);
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    if (window.confirm("Your text isn’t saved yet. Leave it?")) blocker.proceed();
    else blocker.reset();
  }, [blocker]);
  useEffect(() => {
    if (!isLost) return;
    const ask = (event: Event) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isLost]);
}

/** Posts words to be saved; null where no answer comes. */
async function post(id: number, words: DraftWords, version: number): Promise<Response | null> {
  const body = new URLSearchParams({ ...words, version: String(version) });
  const signal = AbortSignal.timeout(30_000);
  return await fetch(`/issues/drafts/${id}/save`, {
    ...{ method: "POST", redirect: "manual", body, signal },
  }).catch(() => null);
}

async function addPictures(
  editor: Editor,
  files: File[],
  { id, format }: { id: number; format: DraftWords["format"] },
): Promise<void> {
  for (const file of files) {
    const answer = await fetch(`/issues/drafts/${id}/pictures`, {
      method: "POST",
      headers: { "Content-Type": "application/octet-stream" },
      body: file,
    }).catch(() => null);
    const { path, problem } = ((await answer?.json().catch(() => null)) ?? {}) as {
      path?: string;
      problem?: string;
    };
    if (path) editor.insert(await pictureMarkup(file, path, format));
    else window.alert(problem ?? `${file.name} could not be stored: there is no connection.`);
  }
}

/** Outlook needs the width of a picture that is wider than the mail. */
async function pictureMarkup(file: File, path: string, format: string): Promise<string> {
  const words = file.name.replace(/\.\w+$/, "").replaceAll(/[-_"[\]<>]+/g, " ");
  const bitmap = await createImageBitmap(file).catch(() => null);
  const width = Math.min(bitmap?.width ?? 534, 534);
  bitmap?.close();
  const html = `<img src="${path}" alt="${words}" width="${width}">`;
  return format === "html" ? html : `\n\n${html}\n\n`;
}
