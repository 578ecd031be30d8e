import {
  type FormEvent,
  startTransition,
  useActionState,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import type { Notice } from "#content/notices.ts";
import { honeypot } from "#content/site.ts";
import { withoutUnseen } from "#content/text.ts";
import { idempotencyKeyShape } from "../ports.ts";
import { showNotice } from "../ui/notices.tsx";

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
  /** For the log. */
  what: string;
  posted: Outcome | null;
  check?: (form: HTMLFormElement) => boolean;
  submit: (form: FormData) => Promise<Outcome>;
  /** Runs once the outcome is rendered and the controls are free again. */
  settle: (outcome: Outcome, form: HTMLFormElement) => void;
};

/** Submits a form from the browser. Returns its state, the last outcome and the fields edited since. */
export function useFormSubmission<Outcome extends { notice: Notice } & Failure>(
  submission: FormSubmission<Outcome>,
) {
  const { what, posted, check = () => true, submit, settle } = submission;
  const submitted = useRef<HTMLFormElement>(null);
  const [edited, setEdited] = useState<ReadonlySet<string>>(new Set());
  const [{ latest }, send, isSending] = useActionState(
    async (_: unknown, form: FormData) => ({ latest: (await submit(form)) as Outcome | null }),
    { latest: posted },
  );

  const onOutcome = useEffectEvent((outcome: Outcome) => {
    const form = submitted.current;
    if (!form) return;
    showNotice(outcome.notice);
    // Once the notice is there, so that it scrolls clear of it.
    queueMicrotask(() => settle(outcome, form));
    if (outcome.error) console.error(`The ${what} could not be sent:`, outcome.error);
  });
  useEffect(() => {
    if (latest) onOutcome(latest);
  }, [latest]);

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    if (isSending) return;
    showNotice(null);
    if (!check(form)) return;
    submitted.current = form;
    setEdited(new Set());
    startTransition(() => send(new FormData(form)));
  }

  function onInput({ target }: FormEvent<HTMLFormElement>) {
    setEdited((names) => new Set(names).add((target as HTMLInputElement).name));
  }

  const shownPost = latest === posted && !isSending ? posted : null;
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
