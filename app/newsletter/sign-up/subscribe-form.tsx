import { type ReactNode, useState } from "react";
import { newsletter } from "#content/pages/newsletter.ts";
import { consentText, subscribeForm } from "#content/subscribe-form.ts";
import { emailMaxLength } from "#contracts/text.ts";
import { browserForms } from "../../backend-client.ts";
import { Honeypot, useFormSubmission, usePostedOutcome } from "../../forms/form-parts.tsx";
import { useSiteFacts } from "../../site-facts.ts";
import { Button } from "../../ui/button.tsx";
import { NoticeSlip } from "../../ui/notices.tsx";
import { unbroken } from "../../ui/unbroken.tsx";
import {
  clearsField,
  faultOf,
  type SubscribeOutcome,
  submitSubscribeForm,
} from "./submit-subscribe-form.ts";

const formId = "subscribe";
const fieldId = "subscribe-email";
const consentId = "subscribe-consent";
const errorId = "subscribe-error";

/**
 * The sign-up for the newsletter, on a light sheet or a `.blueprint` band. It posts to the archive's page from
 * everywhere. The browser stops a malformed address (`type=email`); our own notice answers an empty one, so the field
 * isn't `required`. Errors also show beside the field, which keeps its text.
 */
export function SubscribeForm({ className = "" }: { className?: string }) {
  const { settings } = useSiteFacts();
  const posted = usePostedOutcome<SubscribeOutcome>("subscribe");
  const { isSending, outcome, edited, onSubmit, onInput } = useFormSubmission<SubscribeOutcome>({
    source: formId,
    submit: (form) => submitSubscribeForm(browserForms(settings), form, { site: settings }),
    settle,
  });
  const [isMalformed, setIsMalformed] = useState(false);
  const latest = outcome ?? posted;
  const answered = latest && !isSending && !edited.has("email") ? faultOf(latest) : null;
  const fault = isMalformed ? "malformed" : answered;
  const isAtFault = fault !== null && fault !== "failed";
  const isPosted = posted !== null && outcome === null && !isSending;

  return (
    <form
      className={`subscribe-form ${className}`}
      id={formId}
      method="post"
      action="/newsletter"
      onSubmit={onSubmit}
      onInput={onInput}
      aria-busy={isSending}
    >
      {isPosted && <NoticeSlip notice={posted.notice} autoFocus={!isAtFault} />}
      <label className="field-label" htmlFor={fieldId}>
        {subscribeForm.label}
      </label>
      <div className="subscribe-row">
        <input
          className="field-input"
          id={fieldId}
          name="email"
          type="email"
          autoComplete="email"
          inputMode="email"
          enterKeyHint="send"
          maxLength={emailMaxLength}
          placeholder={subscribeForm.placeholder}
          defaultValue={isPosted && !clearsField(posted) ? posted.email : ""}
          disabled={isSending}
          aria-required="true"
          aria-invalid={isAtFault || undefined}
          aria-describedby={fault ? `${errorId} ${consentId}` : consentId}
          onInvalid={(event) => {
            // Our message stays beside the field and reads the same in every browser, unlike the browser's bubble.
            event.preventDefault();
            event.currentTarget.focus();
            setIsMalformed(true);
          }}
          onInput={() => setIsMalformed(false)}
          // biome-ignore lint/a11y/noAutofocus: only on the page that answers a post, where it is the field to mend.
          autoFocus={isPosted && isAtFault}
        />
        {fault && (
          <p className="field-error" id={errorId} role={isMalformed ? "alert" : undefined}>
            {subscribeForm.faults[fault]}
          </p>
        )}
        <Button type="submit" disabled={isSending}>
          {isSending ? subscribeForm.sending : subscribeForm.send}
        </Button>
      </div>
      <Honeypot id="subscribe-website" />
      <p className="subscribe-consent" id={consentId}>
        {unbroken(consentText({ ...settings, siteName: settings.name }))}
      </p>
    </form>
  );
}

/** Clears the field after a new sign-up, logs a failure, and moves the focus, which the disabled control lost. */
function settle(outcome: SubscribeOutcome, form: HTMLFormElement) {
  const field = form.elements.namedItem("email") as HTMLInputElement;
  if (clearsField(outcome)) field.value = "";
  else if (!outcome.ok && outcome.error)
    console.error("The sign-up could not be sent:", outcome.error);
  const fault = faultOf(outcome);
  if (fault && fault !== "failed") field.focus();
  else form.querySelector("button")?.focus({ preventScroll: outcome.ok });
}

/** The subscribe form on its band, at the end of the archive and of every issue. */
export function JoinTheMatrix({ children }: { children: ReactNode }) {
  const { heading, text } = newsletter.join;
  return (
    <section className="blueprint on-dark newsletter-offer join-band" id="join">
      <div className="wrap join-the-matrix">
        <div>
          <h2>{heading}</h2>
          <p className="lede">{text}</p>
        </div>
        <div>{children}</div>
      </div>
    </section>
  );
}
