import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Notice } from "#content/notices.ts";
import { honeypot } from "#content/site.ts";
import { withoutUnseen } from "#content/text.ts";
import { idempotencyKeyShape } from "../ports.ts";
import { clearNotice, showNotice } from "../ui/notices.tsx";

/** Empty if missing or a file. Line breaks become `\n`, as `maxlength` counts. */
export function postedText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? withoutUnseen(value).replace(/\r\n?/g, "\n").trim() : "";
}

export type Failure = {
  retryAfterSeconds?: number;
  /** No failure of the site. */
  isRefusal?: boolean;
  error?: unknown;
};

export const idempotencyField = "idempotencyKey";

/** 32 hexadecimal digits, or empty. `crypto.randomUUID` needs https or localhost. */
export function mintIdempotencyKey(): string {
  if (!globalThis.crypto?.getRandomValues) return "";
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Empty if missing or malformed. */
export function postedIdempotencyKey(form: FormData): string {
  const key = postedText(form, idempotencyField);
  return idempotencyKeyShape.test(key) ? key : "";
}

/** Milliseconds since 1970. */
export const pageMadeField = "pageMadeAt";

export function isHoneypotFilled(form: FormData): boolean {
  return postedText(form, honeypotField) !== "";
}

/** An upper limit, since the page may be cached. Null if missing, or if clocks disagree. */
export function postedOpenForMs(form: FormData, now: number): number | null {
  const text = postedText(form, pageMadeField);
  const ageMs = now - Number(text);
  return /^\d{1,15}$/.test(text) && ageMs >= 0 ? ageMs : null;
}

type FormSubmission<Outcome> = {
  /** For the log and the form's notices. */
  what: string;
  posted: Outcome | null;
  check?: (form: HTMLFormElement) => boolean;
  submit: (form: FormData) => Promise<Outcome>;
  /** Runs once the outcome is rendered. */
  settle: (outcome: Outcome, form: HTMLFormElement) => void;
};

/** Submits a form from the browser. Returns its state, the last outcome and the fields edited since. */
export function useFormSubmission<Outcome extends { notice: Notice } & Failure>({
  what,
  posted,
  check = () => true,
  submit,
  settle,
}: FormSubmission<Outcome>) {
  const [isSending, setIsSending] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [isPostedShown, setIsPostedShown] = useState(true);
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());
  const isUnderWay = useRef(false);
  const settling = useRef<(() => void) | null>(null);

  // The controls take the focus and new values only once they are free, which is after the next paint's commit. Where
  // the answer is at hand at once, they may never have been seen busy, and only the outcome tells.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `outcome` is a sign that there is something to settle.
  useEffect(() => {
    if (isSending) return;
    settling.current?.();
    settling.current = null;
  }, [isSending, outcome]);

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isUnderWay.current) return;
    const form = event.currentTarget;
    clearNotice(what);
    setIsPostedShown(false);
    if (!check(form)) return;
    isUnderWay.current = true;
    const formData = new FormData(form);
    setIsSending(true);
    const result = await submit(formData);
    isUnderWay.current = false;
    settling.current = () => settle(result, form);
    setOutcome(result);
    setEdited(new Set());
    setIsSending(false);
    showNotice(result.notice, what);
    if (result.error) console.error(`The ${what} could not be sent:`, result.error);
  }

  function onInput({ target }: FormEvent<HTMLFormElement>) {
    const { name } = target as HTMLInputElement;
    setEdited((names) => (names.has(name) ? names : new Set(names).add(name)));
  }

  const latest = outcome ?? posted;
  const shownPost = isPostedShown ? posted : null;
  return { isSending, latest, shownPost, edited, onSubmit, onInput };
}

/** Bots fill it in; browsers don't. */
const honeypotField = "website";

/**
 * Clipped, inert and hidden from password managers. A filled one is quarantined, since it may be a
 * person's.
 */
export function Honeypot({ id }: { id: string }) {
  return (
    <div className="honeypot" aria-hidden="true" inert>
      <label htmlFor={id}>{honeypot.label}</label>
      <input
        id={id}
        name={honeypotField}
        type="text"
        tabIndex={-1}
        autoComplete="off"
        maxLength={200}
        // 1Password, LastPass, Bitwarden and Dashlane.
        data-1p-ignore=""
        data-lpignore="true"
        data-bwignore=""
        data-form-type="other"
      />
    </div>
  );
}
