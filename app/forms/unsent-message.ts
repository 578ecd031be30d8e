import { useEffect, useRef, useState } from "react";
import type { ContactField } from "#contracts/contact-form.ts";
import { idempotencyField } from "./idempotency-key.ts";

type Unsent = { form: FormData; brought: string };

/** Of the form that was left last, for as long as the document is open. Only a browser ever writes it. */
let unsent: Unsent | null = null;

/**
 * What stood in the form when the visitor left it for another page. A new document would get it back from the browser's
 * history; between our pages nothing leaves the document, and a message would be lost with its form. `brought` is what
 * the address brings into the message: it joins what was written, in place of what an earlier one has brought.
 */
export function useUnsentMessage(brought: string) {
  const ref = useRef<HTMLFormElement>(null);
  const [kept] = useState(unsent);
  useEffect(() => {
    const form = ref.current;
    return () => {
      if (form) unsent = { form: new FormData(form), brought };
    };
  }, [brought]);

  const keptOf = (name: string) => String(kept?.form.get(name) ?? "");
  return {
    ref,
    /** Under which it may have arrived all the same. */
    key: keptOf(idempotencyField),
    valueOf: (name: ContactField) =>
      name === "message" ? joined(keptOf(name), kept?.brought, brought) : keptOf(name),
  };
}

/** Once it is sent, also where the answer comes after the visitor has gone on. */
export function forgetUnsentMessage() {
  unsent = null;
}

function joined(written: string, before: string | undefined, brought: string): string {
  if (written.includes(brought)) return written;
  if (before && written.includes(before)) return written.replace(before, () => brought);
  return written ? `${written}\n\n${brought}` : brought;
}
