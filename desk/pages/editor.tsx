import { type RefObject, useCallback, useEffect, useReducer, useRef, useState } from "react";
import {
  Form,
  Link,
  redirect,
  redirectDocument,
  useActionData,
  useLoaderData,
  useSubmit,
} from "react-router";
import { shortTorontoTime } from "#content/toronto-time.ts";
import { type DraftWords, readDraftWords } from "#newsletter/issues/draft.ts";
import { findDraft, takePublished } from "#newsletter/issues/drafts.ts";
import { describeDraftProblem, describePlanRefusal } from "#newsletter/issues/plan-words.ts";
import { listPlans, type Plan, publishNow } from "#newsletter/issues/plans.ts";
import { sendTestDraft } from "#newsletter/sends/send-issue.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";
import {
  beginSaving,
  eventOf,
  forgetKept,
  isReadyToPost,
  isSaved,
  keepWords,
  leftToPost,
  next,
  readKept,
  type Saving,
  type SavingEvent,
  waitMs,
} from "../draft-saving.ts";
import { Writing } from "../editor/writing.tsx";
import { useAskBeforeLeaving } from "../leaving.ts";
import { describeTest } from "../plan-words.ts";
import { judge, saveForm } from "../save-draft-form.ts";
import { type Answer, Field, Notice, Submit } from "../ui.tsx";
import { ChangedElsewhere, Checks, Preview, SavingStatus, SavingTrouble } from "./editor-parts.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const desk = deskOf(args);
  const draft = await findDraft(desk.db, idOf(args, "draft"));
  if (!draft) throw new Response(null, { status: 404 });
  if (draft.binned_at !== null) throw redirect("/issues/bin");
  const { title, preheader, format, body } = draft;
  const { issue, number, isIssueChanged, problems, notes } = await judge(desk, draft);
  const [plan] = await listPlans(desk.db, { draftIds: [draft.id] });
  return {
    id: draft.id,
    /** Another site's draft, at the same address of this machine, has another. */
    keptAs: `draft ${desk.settings.url} ${draft.id} ${draft.created_at}`,
    stored: {
      words: { title, preheader, format, body } satisfies DraftWords,
      version: draft.version,
      savedAt: draft.saved_at,
    },
    corrects: issue && number,
    testTo: desk.config.contactTo,
    plan,
    isIssueChanged,
    checks: { problems, notes },
  };
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const desk = deskOf(args);
  const { db, config, now } = desk;
  const id = idOf(args, "draft");
  const form = await args.request.formData();
  const intent = form.get("intent");
  if (intent === "take published") {
    await takePublished(db, { id, now: now() });
    return redirectDocument(`/issues/drafts/${id}`);
  }
  const saved = await saveForm(desk, args, form);
  if (!saved.ok) return { ok: false, problems: [refusals[saved.reason]] };
  if (intent === "test") return await sendTest(desk, id, String(form.get("to") ?? "").trim());
  if (intent !== "publish") return { ok: true, said: "Saved." };
  const { version } = saved.draft;
  const { issue, problems } = await judge(desk, saved.draft);
  if (!issue) {
    return problems.length > 0 ? { ok: false, problems } : redirect(`/issues/drafts/${id}/plan`);
  }
  const done = await publishNow({ db, config, now: now() }, { id, version });
  if (done.ok) return redirect(`/issues/${done.issueId}`);
  return { ok: false, problems: [describePlanRefusal(done)] };
}

async function sendTest(
  { db, config, now }: ReturnType<typeof deskOf>,
  draftId: number,
  to: string,
): Promise<Answer> {
  const sent = await sendTestDraft({ db, config, now: now() }, { draftId, to });
  if (!sent.ok && sent.reason === "unknown_draft")
    return { ok: false, problems: [refusals.unknown_draft] };
  if (!sent.ok && sent.reason === "unreadable")
    return { ok: false, problems: sent.problems.map(describeDraftProblem) };
  const answer = describeTest(sent, to);
  if (!answer.ok) return answer;
  return { ok: true, said: `${answer.said} Its link to the page works once that is published.` };
}

const refusals = {
  changed_elsewhere: "It was changed elsewhere meanwhile. Nothing was done.",
  unknown_draft: "This draft was deleted in another window.",
  too_long: "The text is longer than an issue may be. It was not saved.",
};

export default function DraftPage() {
  const { id } = useLoaderData<typeof loader>();
  return <DraftForm key={id} />;
}

function planLink({ problem, dueAt }: Plan): string {
  return problem === null ? `Planned for ${shortTorontoTime(dueAt)}` : "Not published: see why";
}

function DraftForm() {
  const { id, keptAs, corrects, plan, isIssueChanged, stored, testTo, ...loaded } =
    useLoaderData<typeof loader>();
  const form = useRef<HTMLFormElement>(null);
  const body = useRef<HTMLTextAreaElement>(null);
  const [state, dispatch] = useReducer(next, stored, beginSaving);
  const [format, setFormat] = useState(state.words.format);
  const [checks, setChecks] = useState(loaded.checks);
  const [wordCount, setWordCount] = useState<number | null>(null);
  const [arriving, setArriving] = useState(0);
  const [isPreviewed, setPreviewed] = useState(false);
  const { words, version, sending } = state;
  const [first] = useState(words);

  const onTyped = useCallback(() => {
    if (form.current)
      dispatch({ type: "typed", words: readDraftWords(new FormData(form.current)) });
  }, []);

  // Restores words that an earlier visit could not save, or that were typed before the scripts came.
  useEffect(() => {
    if (!form.current) return;
    const kept = readKept(keptAs);
    if (!kept) return onTyped();
    for (const [name, value] of Object.entries(kept.words)) {
      const field = form.current.elements.namedItem(name);
      if (field && "value" in field) field.value = value;
    }
    setFormat(kept.words.format);
    dispatch({ type: "found", ...kept });
  }, [keptAs, onTyped]);

  useEffect(() => {
    if (isSaved(state)) return forgetKept(keptAs);
    const isKept = keepWords(keptAs, state);
    if (isKept !== state.isKept) dispatch({ type: "kept", isKept });
  }, [keptAs, state]);

  const wait = waitMs(state);
  useEffect(() => {
    if (wait === null || !words) return;
    const timer = setTimeout(() => dispatch({ type: "due" }), wait);
    return () => clearTimeout(timer);
  }, [wait, words]);

  const underWay = useRef<Promise<SavingEvent | null>>(Promise.resolve(null));
  useEffect(() => {
    if (!sending) return;
    const saving = post(id, sending, version).then(eventOf);
    underWay.current = saving;
    void saving.then((event) => {
      underWay.current = Promise.resolve(null);
      if (event.type === "answered" && event.saved.ok) setChecks(event.saved);
      dispatch(event);
    });
  }, [id, sending, version]);

  const submit = useSubmit();
  const isReady = isReadyToPost(state) && arriving === 0;
  useEffect(() => {
    if (!isReady || !form.current) return;
    const posted = new FormData(form.current);
    posted.set("intent", state.pressed ?? "");
    dispatch({ type: "posted" });
    void submit(posted, { method: "post" });
  }, [isReady, state.pressed, submit]);

  const answer = useActionData<Answer>();
  const [isAnswerOld, setIsAnswerOld] = useState(false);
  useEffect(() => {
    if (!answer) return;
    dispatch({ type: "returned" });
    setIsAnswerOld(false);
  }, [answer]);
  const isTyping = !isSaved(state);
  useEffect(() => {
    if (isTyping) setIsAnswerOld(true);
  }, [isTyping]);
  useEffect(() => dispatch({ type: "loaded", ...stored }), [stored]);

  useLeaving(id, state, underWay);

  function onSubmit(event: React.SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const { value } = event.nativeEvent.submitter as HTMLButtonElement;
    dispatch({ type: "pressed", intent: value });
  }

  function onKeyDown(event: React.KeyboardEvent) {
    // In a field, Enter would press the first button.
    if (event.key === "Enter" && event.target instanceof HTMLInputElement) event.preventDefault();
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    if (event.key === "s") dispatch({ type: "due" });
    else if (event.key === "Enter")
      form.current?.querySelector<HTMLElement>("[value=publish]")?.click();
    else return;
    event.preventDefault();
  }

  const title = words.title.trim() || (corrects === null ? "A new issue" : `Issue #${corrects}`);
  const heading = corrects === null ? title : `Correct #${corrects}: ${title}`;
  const said = (
    <>
      <SavingTrouble
        state={state}
        onReload={() => {
          forgetKept(keptAs);
          window.location.reload();
        }}
      />
      {isIssueChanged && state.trouble === null && (
        <ChangedElsewhere
          said="The published issue was changed elsewhere since this draft was made from it, so the draft can’t be published. Copy what you need of it, then load the other."
          text={words.body}
          onReload={() => {
            forgetKept(keptAs);
            void submit({ intent: "take published" }, { method: "post" });
          }}
        />
      )}
      <Notice answer={isAnswerOld ? undefined : answer} />
    </>
  );
  return (
    <>
      <title>{heading}</title>
      <Form
        method="post"
        ref={form}
        className={isPreviewed ? "writing previewed" : "writing"}
        autoComplete="off"
        onInput={onTyped}
        onSubmit={onSubmit}
        onKeyDown={onKeyDown}
      >
        <input type="hidden" name="version" value={version} />
        <input type="hidden" name="format" value={format} />
        <header className="bar">
          <div>
            <Link className="back" to="/issues">
              ← Issues
            </Link>
            <h1>{heading}</h1>
            <SavingStatus state={state} wordCount={wordCount} isArriving={arriving > 0}>
              {plan && (
                <>
                  {" · "}
                  <Link to={`/issues/drafts/${id}/plan`}>{planLink(plan)}</Link>
                </>
              )}
            </SavingStatus>
          </div>
          <div className="actions">
            <button
              type="button"
              className="button view"
              aria-pressed={isPreviewed}
              onClick={() => setPreviewed(!isPreviewed)}
            >
              Preview
            </button>
            <Submit
              intent="publish"
              kind="main"
              sure={corrects === null ? undefined : "Put this in the place of the published text?"}
            >
              {corrects === null ? "Publish…" : "Publish the correction"}
            </Submit>
          </div>
        </header>
        <div className="stack draft">
          {!isPreviewed && said}
          <Field label="Title">
            <Line name="title" maxLength={200} first={first} words={words} />
          </Field>
          <Writing
            {...{ draftId: id, area: body, first: first.body, format, setArriving }}
            isArriving={arriving > 0}
            onText={onTyped}
            onFormat={(chosen) => {
              setFormat(chosen);
              dispatch({ type: "typed", words: { ...words, format: chosen } });
            }}
            onWords={setWordCount}
          />
          <Field label="The line beside the subject" help="Mail programs show it in the inbox.">
            <Line name="preheader" maxLength={140} first={first} words={words} />
          </Field>
          <Checks {...checks} />
        </div>
        <Preview draftId={id} version={version}>
          {isPreviewed && said}
          <div className="row test">
            <Field label="Send yourself a test">
              <input
                type="email"
                name="to"
                defaultValue={testTo}
                onKeyDown={(event) => {
                  if (event.key !== "Enter" || event.ctrlKey || event.metaKey) return;
                  event.preventDefault();
                  form.current?.querySelector<HTMLElement>("[value=test]")?.click();
                }}
              />
            </Field>
            <Submit intent="test">Send the test</Submit>
          </div>
        </Preview>
      </Form>
    </>
  );
}

type LineProps = {
  name: "title" | "preheader";
  maxLength: number;
  first: DraftWords;
  words: DraftWords;
};

function Line({ name, maxLength, first, words }: LineProps) {
  return (
    <span className="grows" data-text={words[name]}>
      <textarea
        {...{ name, maxLength, rows: 1, defaultValue: first[name] }}
        onKeyDown={(event) => {
          if (event.key === "Enter") event.preventDefault();
        }}
      />
    </span>
  );
}

/** Saves what is left where the page is left by a link, and asks first where the text would be lost. */
function useLeaving(
  id: number,
  state: Saving,
  underWay: RefObject<Promise<SavingEvent | null>>,
): void {
  const latest = useRef(state);
  useEffect(() => {
    latest.current = state;
  }, [state]);
  useEffect(
    () => () => {
      void underWay.current.then((event) => {
        const left = leftToPost(latest.current, event);
        if (left) void post(id, left.words, left.version);
      });
    },
    [id, underWay],
  );
  const isLost = !state.isKept && !isSaved(state);
  useAskBeforeLeaving(isLost, "Your text isn’t saved yet. Leave it?");
}

async function post(id: number, words: DraftWords, version: number): Promise<Response | null> {
  const body = new URLSearchParams({ ...words, version: String(version) });
  const signal = AbortSignal.timeout(30_000);
  return await fetch(`/issues/drafts/${id}/save`, {
    method: "POST",
    redirect: "manual",
    body,
    signal,
  }).catch(() => null);
}
