import { useEffect, useState } from "react";
import { type ContactField, contactFields } from "#contracts/contact-message.ts";
import { idempotencyField, mintIdempotencyKey } from "./form-parts.tsx";

/** The unsent words by field, with their idempotency key and the text that came from the address. */
type Draft = Partial<Record<string, string>>;

export const contactFormId = "contact-form";
const draftItem = "contact-draft";
const broughtField = "brought";

/** The draft where the browser refuses to store one. Only a browser writes it. */
let draftInMemory: Draft = {};

function storeDraft(draft: Draft): void {
  draftInMemory = draft;
  try {
    sessionStorage.setItem(draftItem, JSON.stringify(draft));
  } catch {}
}

function storedDraft(): Draft {
  try {
    return JSON.parse(sessionStorage.getItem(draftItem) ?? "null") ?? draftInMemory;
  } catch {
    return draftInMemory;
  }
}

/** Keeps the form's words for this tab. `brought` is the text that came from the address. */
export function keepDraft(form: HTMLFormElement, brought: string, key: string): void {
  const written = contactFields.map((name) => [name, fieldOf(form, name).value]);
  storeDraft({
    ...Object.fromEntries(written),
    [idempotencyField]: key,
    [broughtField]: brought,
  });
}

export function forgetDraft(): void {
  storeDraft({});
}

/**
 * Forgets the sent words, and empties the form to which a visitor came back while they were on their way. Other words
 * written there since stay.
 */
export function forgetSent(sent: FormData): void {
  const form = formInPage();
  const isSame = (name: ContactField) => form && fieldOf(form, name).value === sent.get(name);
  if (form && !contactFields.every(isSame)) return;
  if (form) clearFields(form);
  forgetDraft();
}

/** Unlike `form.reset()`, which restores the values of a failed post. */
export function clearFields(form: HTMLFormElement): void {
  for (const name of contactFields) fieldOf(form, name).value = "";
}

/**
 * Fills the empty fields in again after a reload, a visit to another page, or a change of the page's HTML by something
 * else, after which React draws the form anew. `isAnswer`: the page answers a post, and has its words.
 */
export function useDraft(isAnswer: boolean, brought: string, setKey: (key: string) => void): void {
  const [{ values, focused }] = useState(typedBeforeScripts);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as a browser fills in fields.
  useEffect(() => {
    const form = formInPage();
    if (isAnswer || !form) return forgetDraft();
    const draft = { ...storedDraft(), ...values };
    const key = draft[idempotencyField] || mintIdempotencyKey();
    for (const name of contactFields) {
      const field = fieldOf(form, name);
      const written = draft[name] ?? "";
      if (name !== "message") field.value ||= written;
      else if (["", brought].includes(field.value)) {
        field.value = joined(written, draft[broughtField], brought);
      }
    }
    setKey(key);
    keepDraft(form, brought, key);
    if (focused && document.activeElement === document.body) fieldOf(form, focused).focus();
  }, []);
}

/** Reads the words typed into the server's form, which the scripts may replace. */
function typedBeforeScripts(): { values: Draft; focused: ContactField | undefined } {
  const form = typeof document === "undefined" ? null : formInPage();
  if (!form) return { values: {}, focused: undefined };
  const fields = contactFields.map((name) => [name, fieldOf(form, name)] as const);
  const typed = fields.filter(([, { value, defaultValue }]) => value && value !== defaultValue);
  return {
    values: Object.fromEntries(typed.map(([name, { value }]) => [name, value])),
    focused: fields.find(([, field]) => field === document.activeElement)?.[0],
  };
}

/** The text from the address follows what was written, in place of an earlier text from an address. */
function joined(written: string, before: string | undefined, brought: string): string {
  if (written.includes(brought)) return written;
  if (before && written.includes(before)) return written.replace(before, () => brought);
  return written ? `${written}\n\n${brought}` : brought;
}

export function formInPage(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>(`#${contactFormId}`);
}

export function fieldOf(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}
