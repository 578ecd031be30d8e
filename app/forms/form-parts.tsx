import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Notice } from "#content/notices.ts";
import { honeypot } from "#content/site.ts";
import { idempotencyKeyShape } from "#contracts/ports.ts";
import { withoutUnseen } from "#contracts/text.ts";
import { clearNotice, showNotice } from "../ui/notices.tsx";

/** A posted field as the server reads it; empty if missing or a file. Line breaks become `\n`, as `maxlength` counts. */
export function postedText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? withoutUnseen(value).replace(/\r\n?/g, "\n").trim() : "";
}

export type Failure = {
  /** Set for `rate_limited` and `unavailable`. */
  retryAfterSeconds?: number;
  /** The input itself was refused, which is no failure of the site. */
  isRefusal?: boolean;
  error?: unknown;
};

export const idempotencyField = "idempotencyKey";

/** 32 hexadecimal digits; empty where the browser has none to give. `crypto.randomUUID` needs https or localhost. */
export function mintIdempotencyKey(): string {
  if (!globalThis.crypto?.getRandomValues) return "";
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The key of a posted form; empty if missing or malformed. */
export function postedIdempotencyKey(form: FormData): string {
  const key = postedText(form, idempotencyField);
  return idempotencyKeyShape.test(key) ? key : "";
}

/** The hidden field with the time the server made the page, in milliseconds since 1970. */
export const pageMadeField = "pageMadeAt";

export function isHoneypotFilled(form: FormData): boolean {
  return postedText(form, honeypotField) !== "";
}

/**
 * The age of the posted page in milliseconds, an upper limit of the time it was open: the page may be cached. Null if
 * the page doesn't say, or if two instances' clocks disagree.
 */
export function postedOpenForMs(form: FormData, now: number): number | null {
  const text = postedText(form, pageMadeField);
  const ageMs = now - Number(text);
  return /^\d{1,15}$/.test(text) && ageMs >= 0 ? ageMs : null;
}

type FormSubmission<Outcome> = {
  /** Names the submission in the log, and identifies the form's notices. */
  what: string;
  /** The outcome that the server's page came with. */
  posted: Outcome | null;
  /** Whether the form may be sent; it says itself what is wrong. */
  check?: (form: HTMLFormElement) => boolean;
  submit: (form: FormData) => Promise<Outcome>;
  /** Runs after the outcome is rendered and the controls are enabled: clears fields, moves the focus. */
  settle: (outcome: Outcome, form: HTMLFormElement) => void;
};

/**
 * Submits a form from the browser; without scripts the server accepts the same form. Returns whether it is sending, the
 * last outcome, the posted one until the form is submitted again, and the fields edited since. Ignores a second submit
 * while one is running.
 */
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

  /** An edited field no longer shows its fault. */
  function onInput({ target }: FormEvent<HTMLFormElement>) {
    const { name } = target as HTMLInputElement;
    setEdited((names) => (names.has(name) ? names : new Set(names).add(name)));
  }

  const latest = outcome ?? posted;
  const shownPost = isPostedShown ? posted : null;
  return { isSending, latest, shownPost, edited, onSubmit, onInput };
}

/** A name that bots fill in and browsers don't. */
const honeypotField = "website";

/**
 * A field for bots: clipped, inert, outside the accessibility tree, and ignored by password managers. Without styles
 * its label says to leave it empty. A message with it filled may still be a person's, so it is quarantined and not
 * dropped.
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
        // 1Password, LastPass, Bitwarden and Dashlane, in this order.
        data-1p-ignore=""
        data-lpignore="true"
        data-bwignore=""
        data-form-type="other"
      />
    </div>
  );
}
