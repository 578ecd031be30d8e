import type { VersionedWords } from "./draft-saving.ts";

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
