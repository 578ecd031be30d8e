import { type FormEvent, useEffect, useRef, useState } from "react";
import type { Notice } from "#content/notices.ts";
import { useNotices } from "../ui/notices.tsx";

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
