import { type DraftWords, sameWords } from "#newsletter/issues/draft.ts";
import type { Saved } from "./save-draft-form.ts";

/** Words with the version that they were typed upon. `savedAt` is that version's, ISO 8601. */
export type VersionedWords = { words: DraftWords; version: number; savedAt: string };

/** A draft in a window, on its way into the database. Only `next` changes it. */
export type Saving = VersionedWords & {
  saved: DraftWords;
  sending: DraftWords | null;
  trouble: null | "lost" | "closed" | "full" | "unknown_draft" | "too_long" | "changed_elsewhere";
  /** The button that was pressed. It is posted once the text is saved, so that both agree on the version. */
  pressed: string | null;
  isPosted: boolean;
  isKept: boolean;
};

export type SavingEvent =
  | { type: "typed"; words: DraftWords }
  | ({ type: "found" } & VersionedWords)
  | ({ type: "loaded" } & VersionedWords)
  | { type: "due" }
  | { type: "answered"; saved: Saved }
  | { type: "lost" }
  | { type: "closed" }
  | { type: "full" }
  | { type: "pressed"; intent: string }
  | { type: "posted" }
  | { type: "returned" }
  | { type: "kept"; isKept: boolean };

export function beginSaving({ words, version, savedAt }: VersionedWords): Saving {
  return {
    words,
    version,
    savedAt,
    saved: words,
    sending: null,
    trouble: null,
    pressed: null,
    isPosted: false,
    isKept: true,
  };
}

export function isSaved({ words, saved }: Saving): boolean {
  return sameWords(words, saved);
}

export function isReadyToPost(state: Saving): boolean {
  return state.pressed !== null && !state.isPosted && !state.sending && isSaved(state);
}

export function waitMs(state: Saving): number | null {
  if (state.sending || state.isPosted || isSaved(state)) return null;
  if (state.trouble === null) return state.pressed === null ? 700 : 0;
  return isAway(state) ? 3_000 : null;
}

/** The words still to be posted when the page is left, once a save under way is answered. */
export function leftToPost(state: Saving, event: SavingEvent | null): Saving | null {
  const last = event ? next(state, event) : state;
  return waitMs(last) === null ? null : last;
}

function isAway({ trouble }: Saving): boolean {
  return trouble === "lost" || trouble === "closed" || trouble === "full";
}

export function next(state: Saving, event: SavingEvent): Saving {
  switch (event.type) {
    case "typed": {
      // Shorter words may be saved where longer ones could not.
      const trouble = state.trouble === "too_long" ? null : state.trouble;
      return { ...state, words: event.words, trouble };
    }
    case "found": {
      const { words, version, savedAt } = event;
      if (sameWords(words, state.saved)) return state;
      const isUponSaved = version === state.version && savedAt === state.savedAt;
      const trouble = isUponSaved ? state.trouble : "changed_elsewhere";
      return { ...state, words, version, savedAt, trouble };
    }
    case "loaded": {
      const { words, version, savedAt } = event;
      if (version <= state.version || state.sending) return state;
      if (!sameWords(words, state.words)) return { ...state, trouble: "changed_elsewhere" };
      return { ...state, saved: words, version, savedAt };
    }
    case "due":
      return waitMs(state) === null ? state : { ...state, sending: state.words };
    case "answered": {
      const { saved } = event;
      const back = { ...state, sending: null };
      if (saved.ok) {
        const { version, savedAt } = saved;
        return { ...back, saved: state.sending ?? state.saved, version, savedAt, trouble: null };
      }
      return { ...back, trouble: saved.reason, pressed: null };
    }
    case "lost":
    case "closed":
    case "full":
      return { ...state, sending: null, pressed: null, trouble: event.type };
    case "pressed":
      if (state.trouble !== null && !isAway(state)) return state;
      return { ...state, pressed: event.intent, trouble: null };
    case "posted":
      return { ...state, isPosted: true };
    case "returned":
      return { ...state, pressed: null, isPosted: false };
    case "kept":
      return { ...state, isKept: event.isKept };
  }
}

/** Reads the answer to a save. A desk that has to be opened anew refuses it, or leads to its door. */
export async function eventOf(answer: Response | null): Promise<SavingEvent> {
  if (answer?.type === "opaqueredirect" || [401, 403].includes(answer?.status ?? 0)) {
    return { type: "closed" };
  }
  const saved: Saved | null = answer?.ok ? await answer.json().catch(() => null) : null;
  if (saved) return { type: "answered", saved };
  return { type: answer?.status === 507 ? "full" : "lost" };
}

/** This window's own copy, so that it doesn't delete another window's. */
let own = "";

export function readKept(name: string): VersionedWords | null {
  try {
    own = window.localStorage.getItem(name) ?? "";
    const kept: VersionedWords | null = JSON.parse(own || "null");
    return kept?.words ? kept : null;
  } catch {
    return null;
  }
}

/** Returns false where the browser refuses, its storage being full or blocked, and where another window keeps its own. */
export function keepWords(name: string, { words, version, savedAt }: VersionedWords): boolean {
  const text = JSON.stringify({ words, version, savedAt });
  try {
    const kept = window.localStorage.getItem(name);
    if (kept !== null && kept !== own) return false;
    window.localStorage.setItem(name, text);
    own = text;
    return true;
  } catch {
    return false;
  }
}

export function forgetKept(name: string): void {
  try {
    if (window.localStorage.getItem(name) === own) window.localStorage.removeItem(name);
  } catch {
    // There is nothing to forget where nothing can be kept.
  }
}
