import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { contactForm } from "#content/contact-form.ts";
import {
  type ContactField,
  contactFields,
  contactLimits,
  contactSubjects,
  requiredContactFields,
} from "#contracts/contact-form.ts";
import { browserForms } from "../backend-client.ts";
import { useSiteFacts } from "../site-facts.ts";
import { Button } from "../ui/button.tsx";
import { SelectField, TextAreaField, TextField } from "../ui/field.tsx";
import { Link } from "../ui/link.tsx";
import { NoticeSlip } from "../ui/notices.tsx";
import { broughtMessage } from "../worksheet/calculation-sheet.tsx";
import { browserOpenForMs, pageMadeField } from "./form-evidence.ts";
import { Honeypot } from "./honeypot.tsx";
import { idempotencyField, mintIdempotencyKey } from "./idempotency-key.ts";
import { fetchReceivedOrderStyles, focusReceivedOrder, ReceivedOrder } from "./received-order.tsx";
import { type ContactOutcome, firstFault, submitContactForm } from "./submit-contact-form.ts";
import { forgetUnsentMessage, useUnsentMessage } from "./unsent-message.ts";
import { useFormSubmission } from "./use-form-submission.ts";
import { usePostedOutcome } from "./use-posted-outcome.ts";
import "./contact-form.css";

const formId = "contact-form";

/**
 * The message to the firm, drawn as a work order. It is `noValidate`, since what is missing or malformed is answered
 * with our own notices (specification, section 8) and not with the browser's bubbles.
 */
export function ContactForm() {
  const { settings } = useSiteFacts();
  const { search } = useLocation();
  const posted = usePostedOutcome<ContactOutcome>("contact");
  const unsent = useUnsentMessage(broughtMessage(search));
  const key = useIdempotencyKey(posted, unsent.key);
  const [pageMadeAt] = useState(() => (posted ? firstPageMadeAt(posted) : String(Date.now())));
  const { isSending, outcome, edited, onSubmit, onInput } = useFormSubmission<ContactOutcome>({
    source: formId,
    async submit(form) {
      const outcome = await submitContactForm(browserForms(settings), form, {
        site: settings,
        // On a page that answers a post the visitor may only have to press again.
        openForMs: posted ? null : browserOpenForMs(),
      });
      if (outcome.ok) forgetUnsentMessage();
      return outcome;
    },
    settle(outcome, form) {
      if (outcome.ok) {
        key.renew();
        clearFields(form);
      } else if (outcome.error) {
        console.error("The contact message could not be sent:", outcome.error);
      }
      focusNext(outcome, form);
    },
  });

  const latest = outcome ?? posted;
  const isPosted = posted !== null && outcome === null && !isSending;
  const postedFault = isPosted ? firstFault(posted) : undefined;
  const isUnsent = latest?.ok === false && !firstFault(latest) && !isSending;

  function field(name: ContactField) {
    const fault = latest && !latest.ok && !edited.has(name) ? latest.faults[name] : undefined;
    const isRequired = (requiredContactFields as ContactField[]).includes(name);
    return {
      name,
      label: contactForm.labels[name],
      error: fault && contactForm.faults[name]?.[fault],
      beside: isRequired && <span className="field-mark">{contactForm.required}</span>,
      "aria-required": isRequired || undefined,
      maxLength: contactLimits[name],
      defaultValue: posted ? (posted.ok ? "" : posted.values[name]) : unsent.valueOf(name),
      autoFocus: postedFault === name,
      className: `order-${name}`,
    };
  }
  const { maxLength: _, ...subject } = field("subject");

  return (
    <form
      className="contact-form"
      id={formId}
      ref={unsent.ref}
      method="post"
      action="/contact"
      noValidate
      onSubmit={onSubmit}
      onInput={onInput}
      onFocus={fetchReceivedOrderStyles}
      aria-busy={isSending}
    >
      {isPosted && <NoticeSlip notice={posted.notice} autoFocus={!postedFault} />}
      {latest?.ok && <ReceivedOrder {...latest} isPosted={isPosted} />}
      {/* The server's key and the browser's first one differ, and either will do. */}
      <input type="hidden" name={idempotencyField} value={key.value} suppressHydrationWarning />
      <input type="hidden" name={pageMadeField} value={pageMadeAt} suppressHydrationWarning />
      <Honeypot id="contact-website" />
      <div className="order-fields">
        <TextField {...field("firstName")} autoComplete="given-name" enterKeyHint="next" />
        <TextField {...field("lastName")} autoComplete="family-name" enterKeyHint="next" />
        <TextField
          {...field("email")}
          type="email"
          inputMode="email"
          autoComplete="email"
          enterKeyHint="next"
        />
        <TextField {...field("company")} autoComplete="organization" enterKeyHint="next" />
        <TextField
          {...field("phone")}
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          enterKeyHint="next"
        />
        <SelectField {...subject}>
          <option value="">{contactForm.noSubject}</option>
          {contactSubjects.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        <TextAreaField {...field("message")} rows={6} />
      </div>
      <div className="order-send">
        <Button type="submit" disabled={isSending}>
          {isSending ? contactForm.sending : contactForm.send}
        </Button>
        {/* Of this a notice tells, which can be closed. */}
        {isUnsent && <p className="field-error">{contactForm.unsent}</p>}
        <p>
          {contactForm.privacy.text}{" "}
          <Link to={contactForm.privacy.link.path}>{contactForm.privacy.link.label}</Link>
        </p>
      </div>
    </form>
  );
}

/**
 * The key under which the message counts once. The server mints one into the page for a form that is posted without
 * scripts; the browser mints its own, because the page's bytes are kept and shared. What was not sent keeps its key.
 */
function useIdempotencyKey(posted: ContactOutcome | null, unsent: string) {
  const kept = posted && !posted.ok ? posted.idempotencyKey : unsent;
  const [value, setValue] = useState(() => kept || mintIdempotencyKey());
  useEffect(() => {
    if (!kept) setValue(mintIdempotencyKey());
  }, [kept]);
  return { value, renew: () => setValue(mintIdempotencyKey()) };
}

/** A page that answers a post is new, and the visitor isn't. */
function firstPageMadeAt(posted: ContactOutcome): string {
  return posted.ok ? "" : posted.pageMadeAt;
}

/** Not `form.reset()`, which would bring back what a failed post without scripts has kept. */
function clearFields(form: HTMLFormElement) {
  for (const name of contactFields) {
    (form.elements.namedItem(name) as HTMLInputElement).value = "";
  }
}

/**
 * To the first field to mend, or to what has been received, which stands above the fields that the visitor came from;
 * otherwise back to the button, which lost the focus while it was disabled.
 */
function focusNext(outcome: ContactOutcome, form: HTMLFormElement) {
  const fault = firstFault(outcome);
  if (fault) (form.elements.namedItem(fault) as HTMLElement).focus();
  else if (outcome.ok) focusReceivedOrder(form);
  // Clear of the notice, since it is to be pressed again.
  else form.querySelector<HTMLElement>("button[type=submit]")?.focus();
}
