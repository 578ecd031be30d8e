import { useEffect, useRef, useState } from "react";
import { Form, Link, redirect, useLoaderData } from "react-router";
import { shortTorontoTime } from "#content/toronto-time.ts";
import { type DraftWords, sameWords } from "#contracts/draft.ts";
import { findDraft } from "#newsletter/drafts.ts";
import { describePlan, describePlanRefusal } from "#operator/plan-words.ts";
import { listPlans, publishOrPlanDraft } from "#operator/plans.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";
import { type Editor, openEditor } from "../editor.client.ts";
import { judge, type Saved, saveForm } from "../save-draft-form.ts";
import { type Answer, Field, Page, Submit, When } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const desk = deskOf(args);
  const draft = await findDraft(desk.db, idOf(args, "draft"));
  if (!draft) throw new Response(null, { status: 404 });
  const { number, problems, notes } = await judge(desk, draft);
  const [plan] = await listPlans(desk.db, { draftId: draft.id });
  return { draft, plan, number, problems, notes };
}

/** Saves the draft where no script does, and publishes it. */
export async function action(args: PageArgs): Promise<Answer | Response> {
  const { db, config, now } = deskOf(args);
  const { saved, intent } = await saveForm(deskOf(args), args);
  if (!saved.ok) return { ok: false, problems: [refusals[saved.reason]] };
  if (intent !== "publish") return { ok: true, said: "Saved." };
  const { id, version } = saved.draft;
  const published = await publishOrPlanDraft({ db, config, now: now() }, { id, version });
  if (published.ok) {
    return redirect(
      "issueId" in published ? `/issues/${published.issueId}` : `/issues/drafts/${id}/plan`,
    );
  }
  if (published.reason === "changed_elsewhere" || published.reason === "issue_changed") {
    return { ok: false, problems: [refusals[published.reason]] };
  }
  return { ok: false, problems: [describePlanRefusal(published)] };
}

const refusals = {
  changed_elsewhere:
    "Another window has changed this draft. Load it anew, and put in what you typed.",
  issue_changed:
    "The published issue was changed elsewhere since this draft was made. Look at both first.",
  unknown_draft: "This draft was deleted in another window.",
  too_long: "The text is longer than an issue may be. It was not saved.",
};

const saveAfterMs = 700;
const tryAgainMs = 3_000;

export default function DraftPage() {
  const { draft, plan, number } = useLoaderData<typeof loader>();
  const title = draft.issue_id === null ? "Write an issue" : `Correct #${number}`;
  return (
    <Page
      title={title}
      back={{ to: "/issues", name: "Issues" }}
      actions={
        draft.issue_id === null && (
          <Link className="button" to={`/issues/drafts/${draft.id}/plan`}>
            {plan ? `Planned: ${describePlan(plan, shortTorontoTime)}` : "Publish at an hour"}
          </Link>
        )
      }
    >
      <DraftForm key={draft.id} />
    </Page>
  );
}

/** What stands between a text and its place in the database. */
type State = "saved" | "saving" | "no connection" | "closed" | keyof typeof refusals;

function DraftForm() {
  const { draft, plan: _, ...loaded } = useLoaderData<typeof loader>();
  const form = useRef<HTMLFormElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLTextAreaElement>(null);
  const editor = useRef<Editor>(null);
  const [format, setFormat] = useState(draft.format);
  const [checks, setChecks] = useState(loaded);
  const autosave = useAutosave(draft, form, setChecks);
  const { note, version } = autosave;

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
        note();
      },
      onPictures: (files) => void addPictures(files),
    });
    editor.current = opened;
    area.hidden = true;
    return () => {
      opened.destroy();
      area.hidden = false;
    };
    async function addPictures(files: File[]) {
      for (const file of files) {
        const answer = await fetch(`/issues/drafts/${draft.id}/pictures`, {
          method: "POST",
          headers: { "Content-Type": "application/octet-stream" },
          body: file,
        }).catch(() => null);
        const { path, problem } = ((await answer?.json().catch(() => null)) ?? {}) as {
          path?: string;
          problem?: string;
        };
        if (path) opened.insert(await pictureMarkup(file, path, format));
        else window.alert(problem ?? `${file.name} could not be stored: there is no connection.`);
      }
    }
  }, [format, draft.id, note]);

  return (
    <div className="writing">
      <Form
        method="post"
        ref={form}
        className="stack"
        autoComplete="off"
        onInput={note}
        onSubmit={autosave.onSubmit}
      >
        <input type="hidden" name="version" value={version} readOnly />
        <Status
          state={autosave.state}
          savedAt={autosave.savedAt}
          onKeepMine={autosave.keepMine}
          onTakeTheirs={autosave.takeTheirs}
        />
        <Field label="Title">
          <input name="title" defaultValue={draft.title} maxLength={200} />
        </Field>
        <Field label="The line beside the subject" help="Mail programs show it in the inbox.">
          <input name="preheader" defaultValue={draft.preheader} maxLength={140} />
        </Field>
        <div className="row">
          <Field label="Date" help="Empty means the day of publication.">
            <input type="date" name="publish_date" defaultValue={draft.publish_date} />
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
          <textarea ref={body} name="body" aria-label="Text" rows={20} defaultValue={draft.body} />
        </div>
        <Checks {...checks} />
        <div className="actions">
          <Submit
            intent="publish"
            kind="main"
            sure={
              draft.issue_id === null
                ? "Publish it on the site? Nothing is mailed yet."
                : "Put this in the place of the published text?"
            }
          >
            {draft.issue_id === null ? "Publish" : "Publish the correction"}
          </Submit>
          <Submit intent="save">Save</Submit>
        </div>
      </Form>
      <Preview draftId={draft.id} version={version} />
    </div>
  );
}

/**
 * Saves the form a moment after the last key. What isn't saved yet is kept in this browser too, so that neither a crash
 * nor a lost connection takes it.
 */
function useAutosave(
  draft: Awaited<ReturnType<typeof loader>>["draft"],
  form: React.RefObject<HTMLFormElement | null>,
  onChecks: (checks: { number: number; problems: string[]; notes: string[] }) => void,
) {
  const [state, setState] = useState<State>("saved");
  const [version, setVersion] = useState(draft.version);
  const [savedAt, setSavedAt] = useState(draft.saved_at);
  const key = `draft-${draft.id}`;

  const [steps] = useState(() => {
    /** The version that this window's text was typed upon. */
    let latest = draft.version;
    let keptText = "";
    let timer = 0;
    let isSaving = false;
    /** The version of another window's text, while nobody has said which of the two stays. */
    let otherVersion: number | null = null;
    function read(): DraftWords {
      const words = form.current ? [...new FormData(form.current)] : [];
      return Object.fromEntries(words) as DraftWords;
    }
    function note() {
      const words = read();
      keptText = JSON.stringify({ version: latest, words } satisfies Kept);
      window.localStorage.setItem(key, keptText);
      if (otherVersion !== null) return;
      setState("saving");
      window.clearTimeout(timer);
      timer = window.setTimeout(() => void save(), saveAfterMs);
    }
    /** One at a time: a second one beside it would be taken for another window's. */
    async function save() {
      if (isSaving || !form.current) return;
      isSaving = true;
      await saveNow(read());
      isSaving = false;
    }
    async function saveNow(words: DraftWords) {
      const answer = await fetch(`/issues/drafts/${draft.id}/save`, {
        method: "POST",
        body: new URLSearchParams({ ...words, version: String(latest) }),
      }).catch(() => null);
      if (answer?.status === 401) return setState("closed");
      const saved = (await answer?.json().catch(() => null)) as Saved | null;
      if (!saved) {
        setState("no connection");
        timer = window.setTimeout(() => void save(), tryAgainMs);
        return;
      }
      if (!saved.ok) {
        if (saved.reason === "changed_elsewhere") return ask(saved.version);
        return setState(saved.reason);
      }
      latest = saved.version;
      setVersion(saved.version);
      setSavedAt(saved.savedAt);
      onChecks({ number: 0, problems: saved.problems, notes: saved.notes });
      if (form.current && !sameWords(words, read())) return note();
      // Another window may have kept its own since.
      if (window.localStorage.getItem(key) === keptText) window.localStorage.removeItem(key);
      setState("saved");
    }
    function ask(version: number) {
      otherVersion = version;
      setState("changed_elsewhere");
    }
    function resume({ version, words }: Kept) {
      latest = version;
      for (const [name, value] of Object.entries(words)) {
        const field = form.current?.elements.namedItem(name);
        if (name !== "version" && field && "value" in field) field.value = value;
      }
      if (version === draft.version) note();
      else ask(draft.version);
    }
    function keepMine() {
      if (otherVersion !== null) latest = otherVersion;
      otherVersion = null;
      void save();
    }
    return { read, note, resume, keepMine };
  });

  // What an earlier visit to this page could not save, or was typed before the scripts came.
  useEffect(() => {
    const kept = readKept(key);
    if (kept && !sameWords(kept.words, draft)) steps.resume(kept);
    else if (!sameWords(steps.read(), draft)) steps.note();
  }, [key, draft, steps]);

  return {
    state,
    version,
    savedAt,
    note: steps.note,
    keepMine: steps.keepMine,
    /** "Save" needs no other page; without scripts it is a form's. */
    onSubmit(event: React.SubmitEvent<HTMLFormElement>) {
      const button = event.nativeEvent.submitter;
      if (!(button instanceof HTMLButtonElement) || button.value !== "save") return;
      event.preventDefault();
      steps.note();
    },
    takeTheirs() {
      window.localStorage.removeItem(key);
      window.location.reload();
    },
  };
}

type Kept = { version: number; words: DraftWords };

function readKept(key: string): Kept | null {
  try {
    return JSON.parse(window.localStorage.getItem(key) ?? "null");
  } catch {
    return null;
  }
}

/** Where the picture is wider than a mail, Outlook needs its width said. */
async function pictureMarkup(file: File, path: string, format: string): Promise<string> {
  const words = file.name.replace(/\.\w+$/, "").replaceAll(/[-_"[\]<>]+/g, " ");
  const bitmap = await createImageBitmap(file).catch(() => null);
  const width = Math.min(bitmap?.width ?? 534, 534);
  bitmap?.close();
  const html = `<img src="${path}" alt="${words}" width="${width}">`;
  return format === "html" ? html : `\n\n${html}\n\n`;
}

function Status({
  state,
  savedAt,
  onKeepMine,
  onTakeTheirs,
}: {
  state: State;
  savedAt: string;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}) {
  if (state === "saved" || state === "saving") {
    return (
      <p className="empty" role="status">
        {state === "saving" ? (
          "Saving…"
        ) : (
          <>
            Saved, <When at={savedAt} />
          </>
        )}
      </p>
    );
  }
  return (
    <div className="notice wrong" role="alert">
      {state === "no connection" && (
        <p>
          No connection to the desk. Your text is kept in this browser, and saved when it is back.
        </p>
      )}
      {state === "closed" && (
        <p>
          The desk was closed or started again. Your text is kept in this browser: open the new link
          that it prints, and come back to this draft.
        </p>
      )}
      {state === "unknown_draft" && <p>This draft was deleted in another window.</p>}
      {state === "too_long" && <p>{refusals.too_long}</p>}
      {state === "changed_elsewhere" && (
        <>
          <p>Another window has changed this draft since. Which text do you want to keep?</p>
          <p className="actions">
            <button type="button" className="button" onClick={onKeepMine}>
              The one in this window
            </button>
            <button type="button" className="button" onClick={onTakeTheirs}>
              The other one
            </button>
          </p>
        </>
      )}
    </div>
  );
}

function Checks({ problems, notes }: { problems: string[]; notes: string[] }) {
  return (
    <section aria-label="Checks">
      <h2>Before it is published</h2>
      {problems.length + notes.length === 0 && <p className="empty">Nothing stands out.</p>}
      <ul className="findings">
        {problems.map((problem) => (
          <li key={problem}>{problem}</li>
        ))}
        {notes.map((note) => (
          <li key={note} className="note">
            {note}
          </li>
        ))}
      </ul>
    </section>
  );
}

const kinds = [
  ["page", "Page, phone", "phone"],
  ["page", "Page, desktop", "desktop"],
  ["light", "Mail", "phone"],
  ["dark", "Mail, dark", "phone"],
  ["without-pictures", "Mail, no pictures", "phone"],
  ["plain", "Mail, plain text", "phone"],
] as const;

function Preview({ draftId, version }: { draftId: number; version: number }) {
  const [chosen, setChosen] = useState(0);
  const [kind, name, frame] = kinds[chosen] ?? kinds[0];
  return (
    <section className="preview" aria-label="Preview">
      <label className="field">
        <span>Preview</span>
        <select value={chosen} onChange={(event) => setChosen(Number(event.target.value))}>
          {kinds.map(([, label], index) => (
            <option key={label} value={index}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <iframe
        className={frame}
        title={name}
        // No scripts; its own origin alone, so that styles and pictures come with the session.
        sandbox="allow-same-origin"
        src={`/issues/drafts/${draftId}/preview/${kind}?version=${version}`}
      />
    </section>
  );
}
