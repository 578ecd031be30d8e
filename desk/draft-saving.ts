import { type DraftWords, readDraftWords, sameWords } from "#newsletter/issues/draft.ts";
import type { NotSaved } from "#newsletter/issues/drafts.ts";
import type { Checked, Saved } from "./save-draft-form.ts";
import { failures } from "./ui.tsx";

/** Words with the version that they were typed upon. `savedAt` is that version's, ISO 8601. */
type VersionedWords = { words: DraftWords; version: number; savedAt: string };

/** Troubles that end by themselves. */
const away = {
  lost: "There is no connection to the desk. Your text is saved when it is back.",
  closed:
    "Your session has ended, or the desk was started again: open the desk in another tab, and your text is saved.",
  full: `${failures.full} Your text is saved then.`,
};

/** A draft in a window, on its way into the database. */
export type Saving = VersionedWords & {
  saved: DraftWords;
  /** Keys were pressed that `words` don't have yet. */
  isWriting: boolean;
  /** The browser keeps a copy of what isn't saved. */
  isKept: boolean;
  trouble: null | keyof typeof away | NotSaved["reason"];
  /** The trouble in a sentence. */
  problem: string | null;
  checks: Checked | null;
};

export type DraftSaver = ReturnType<typeof createDraftSaver>;

export function isSaved({ words, saved, isWriting }: Saving): boolean {
  return !isWriting && sameWords(words, saved);
}

/** Saves a draft's form while it is written in: one save at a time, over the version before. */
export function createDraftSaver(id: number, keptAs: string, stored: VersionedWords) {
  let state: Saving = {
    ...{ ...stored, saved: stored.words, isWriting: false, isKept: true },
    ...{ trouble: null, problem: null, checks: null },
  };
  const listeners = new Set<() => void>();
  const copy = browserCopy(keptAs);
  let form: HTMLFormElement | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let underWay: Promise<unknown> = Promise.resolve();

  function set(change: Partial<Saving>): void {
    state = { ...state, ...change };
    const isKept = copy.keep(isSaved(state) ? null : state);
    if (isKept !== state.isKept) state = { ...state, isKept };
    for (const listener of listeners) listener();
  }

  function read(): void {
    const words = form ? readDraftWords(new FormData(form)) : state.words;
    if (!state.isWriting && sameWords(words, state.words)) return;
    // Shorter words may be saved where longer ones could not.
    const trouble = state.trouble === "too_long" ? null : state.trouble;
    set({ words, isWriting: false, trouble });
  }

  function saveLater(): void {
    clearTimeout(timer);
    if (!form || isSaved(state)) return;
    if (state.trouble === null) timer = setTimeout(save, 700);
    else if (isAway(state)) timer = setTimeout(save, 3_000);
  }

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const turn = underWay.then(work);
    underWay = turn.catch(() => {});
    return turn;
  }

  async function saveNow(asked: boolean): Promise<boolean> {
    do {
      read();
      const { words, version, trouble } = state;
      if (sameWords(words, state.saved)) return true;
      if (trouble !== null && !isAway(state) && !(asked && trouble === "planned_soon"))
        return false;
      set(await post(id, { words, version, asked }));
      saveLater();
    } while (asked && state.trouble === null);
    return state.trouble === null;
  }

  /** Saves what was typed. Unless it is `asked` for, nothing is saved in the last minutes before a plan. */
  function save(asked = false): Promise<boolean> {
    clearTimeout(timer);
    return inTurn(() => saveNow(asked));
  }

  return {
    state: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** Restores words that an earlier visit could not save, or that were typed before the scripts came. */
    open(opened: HTMLFormElement): void {
      form = opened;
      const kept = copy.read();
      if (kept && !sameWords(kept.words, state.saved)) {
        for (const [name, value] of Object.entries(kept.words)) {
          const field = form.elements.namedItem(name);
          if (field && "value" in field) field.value = value;
        }
        const isUponSaved = kept.version === state.version && kept.savedAt === state.savedAt;
        set({ ...kept, trouble: isUponSaved ? null : "changed_elsewhere" });
      }
      read();
      saveLater();
    },
    writing: () => set({ isWriting: true }),
    typed(): void {
      read();
      saveLater();
    },
    save,
    /** Saves what was typed, and does `work` with its version before anything else is saved. */
    saveThen: (work: (version: number) => Promise<void>) =>
      inTurn(async () => {
        if (await saveNow(true)) await work(state.version);
      }),
    /** The page has been loaded again. */
    loaded: ({ words, version, savedAt }: VersionedWords) =>
      inTurn(async () => {
        // The hour that a save waited for may be over.
        if (state.trouble === "planned_soon") {
          set({ trouble: null });
          saveLater();
        } else if (version > state.version) {
          if (sameWords(words, state.words)) set({ saved: words, version, savedAt });
          else set({ trouble: "changed_elsewhere" });
        }
        // Judging a long letter takes longer than opening its page may.
        const { checks } = await post(id, { words, version, asked: false });
        if (checks) set({ checks });
      }),
    forget: () => copy.keep(null),
    /** Saves what is left. */
    close(): void {
      read();
      void save();
      form = null;
    },
  };
}

function isAway({ trouble }: Saving): boolean {
  return trouble !== null && trouble in away;
}

type Posted = { words: DraftWords; version: number; asked: boolean };

/** Posts a save. A desk that has to be opened anew refuses it, or leads to its door. */
async function post(id: number, { words, version, asked }: Posted): Promise<Partial<Saving>> {
  const fields = { ...words, version: String(version), asked: asked ? "yes" : "no" };
  const answer = await fetch(`/issues/drafts/${id}/save`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(fields),
    signal: AbortSignal.timeout(30_000),
  }).catch(() => null);
  if (answer?.type === "opaqueredirect" || [401, 403].includes(answer?.status ?? 0))
    return { trouble: "closed", problem: away.closed };
  const saved: Saved | null = answer?.ok ? await answer.json().catch(() => null) : null;
  const trouble = answer?.status === 507 ? "full" : "lost";
  if (!saved) return { trouble, problem: away[trouble] };
  if (!saved.ok) return { trouble: saved.reason, problem: saved.problem };
  const { ok: _, version: next, savedAt, ...checks } = saved;
  return { saved: words, version: next, savedAt, trouble: null, checks };
}

/** The browser's copy of what isn't saved. Another window's own is left alone. */
function browserCopy(name: string) {
  let own: string | null = null;
  return {
    read(): VersionedWords | null {
      try {
        own = window.localStorage.getItem(name);
        const kept: VersionedWords | null = JSON.parse(own ?? "null");
        return kept?.words ? kept : null;
      } catch {
        return null;
      }
    },
    /** Returns false where the browser refuses, its storage being full or blocked, and where another window keeps its own. */
    keep(unsaved: VersionedWords | null): boolean {
      try {
        const kept = window.localStorage.getItem(name);
        if (kept !== null && kept !== own) return unsaved === null;
        if (unsaved === null) window.localStorage.removeItem(name);
        else {
          const { words, version, savedAt } = unsaved;
          own = JSON.stringify({ words, version, savedAt });
          window.localStorage.setItem(name, own);
        }
        return true;
      } catch {
        return unsaved === null;
      }
    },
  };
}
