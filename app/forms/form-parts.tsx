import { type FormEvent, useEffect, useRef, useState } from "react";
import { useActionData } from "react-router";
import { honeypot } from "#content/honeypot.ts";
import type { Notice } from "#content/notices.ts";
import { idempotencyKeyShape } from "#contracts/ports.ts";
import { useNotices } from "../ui/notices.tsx";
import { postedText } from "./posted-form.ts";

/** The hidden field that carries the key in a posted form. */
export const idempotencyField = "idempotencyKey";

const keyBytes = 16;

/**
 * A new key for one message: 32 hexadecimal digits. Not `crypto.randomUUID`, which browsers have only on https and
 * localhost.
 */
export function mintIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(keyBytes));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The key of a posted form; empty where it has none that could be one of ours. */
export function postedIdempotencyKey(form: FormData): string {
  const key = postedText(form, idempotencyField);
  return idempotencyKeyShape.test(key) ? key : "";
}

/** The hidden field with the moment at which the server made the page, in milliseconds since 1970. */
export const pageMadeField = "pageMadeAt";

/** Whether something stands in the field that people don't see. */
export function isHoneypotFilled(form: FormData): boolean {
  return postedText(form, honeypotField) !== "";
}

/** How long the visitor has had the page open, in a browser with scripts: since the document was asked for. */
export function browserOpenForMs(): number {
  return performance.now();
}

/**
 * The longest that the visitor can have had the page open, in milliseconds: the age of the page's bytes, which may have
 * been made for somebody else. It can show that a form was sent too fast, and never that it wasn't. Null where the page
 * doesn't say, and where the clocks of two copies of the server disagree.
 */
export function postedOpenForMs(form: FormData, now: number): number | null {
  const text = postedText(form, pageMadeField);
  const ageMs = now - Number(text);
  return /^\d{1,15}$/.test(text) && ageMs >= 0 ? ageMs : null;
}

/** The outcome of a form that was posted to the page without scripts, where it is this form's and not another's. */
export function usePostedOutcome<Outcome extends { form: string }>(
  form: Outcome["form"],
): Outcome | null {
  const posted = useActionData<Outcome | undefined>();
  return posted?.form === form ? (posted as Outcome) : null;
}

type FormSubmission<Outcome> = {
  /** Names the form among the sources of notices. */
  source: string;
  submit: (form: FormData) => Promise<Outcome>;
  /** After the outcome is on the page and the controls are free again: clears fields, moves the focus. */
  settle: (outcome: Outcome, form: HTMLFormElement) => void;
};

/**
 * Sends a form from the browser while the form itself stays an ordinary one, which the server takes where scripts are off
 * or late. Answers whether it is being sent, the last outcome, and the names of the fields edited since. A second submit
 * while one is under way is ignored.
 */
export function useFormSubmission<Outcome extends { notice: Notice }>({
  source,
  submit,
  settle,
}: FormSubmission<Outcome>) {
  const notices = useNotices();
  const [isSending, setIsSending] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
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
    isUnderWay.current = true;
    const form = event.currentTarget;
    const formData = new FormData(form);
    notices.clear(source);
    setIsSending(true);
    const result = await submit(formData);
    isUnderWay.current = false;
    settling.current = () => settle(result, form);
    setOutcome(result);
    setEdited(new Set());
    setIsSending(false);
    notices.show(result.notice, source);
  }

  /** A field that is being mended is no longer called wrong. */
  function onInput({ target }: FormEvent<HTMLFormElement>) {
    const { name } = target as HTMLInputElement;
    setEdited((names) => (names.has(name) ? names : new Set(names).add(name)));
  }

  return { isSending, outcome, edited, onSubmit, onInput };
}

/** The name is one that programs like to fill in, and no browser fills in by itself. */
const honeypotField = "website";

const honeypotMaxLength = 200;

/**
 * A field for programs. People can't see, reach or hear it: it is clipped away, inert and out of the accessibility tree,
 * and password managers are asked to leave it alone. Where a page has no styles its label says what to do. What fills
 * it in all the same may still be a person's, so it is held and not dropped.
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
        maxLength={honeypotMaxLength}
        // 1Password, LastPass, Bitwarden and Dashlane, in this order.
        data-1p-ignore=""
        data-lpignore="true"
        data-bwignore=""
        data-form-type="other"
      />
    </div>
  );
}
