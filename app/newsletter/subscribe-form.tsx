import { useState } from "react";
import { consentText, subscribeForm } from "#content/subscribe-form.ts";
import { emailMaxLength } from "#content/text.ts";
import { longTorontoTime } from "#content/toronto-time.ts";
import { piece } from "../alive/piece.tsx";
import { Honeypot, useFormSubmission } from "../forms/form-parts.tsx";
import { browserForms } from "../forms/forms-client.ts";
import { useSiteFacts } from "../site-facts.ts";
import { Button } from "../ui/button.tsx";
import { NoticeBoard, NoticeSlip } from "../ui/notices.tsx";
import { unbroken } from "../ui/unbroken.tsx";
import {
  cleanAddress,
  clearsField,
  faultOf,
  type SubscribeOutcome,
  submitSubscribeForm,
  wordingField,
} from "./submit-subscribe-form.ts";

type SubscribeFormProps = { posted?: SubscribeOutcome | null };

const [fieldId, consentId, errorId] = ["email", "consent", "error"].map(
  (part) => `subscribe-${part}`,
);

/**
 * Posts to the archive's page from everywhere. Our notice answers an empty address. The browser's
 * own check of a malformed one would refuse invisible characters, and in WebKit an international
 * domain.
 */
export const SubscribeForm = piece("SubscribeForm", (props: SubscribeFormProps) => {
  const posted = props.posted ?? null;
  const { settings, wordingHash } = useSiteFacts();
  const [isMalformed, setIsMalformed] = useState(false);
  const submission = useFormSubmission<SubscribeOutcome>({
    what: "sign-up",
    posted,
    check(form) {
      const field = emailField(form);
      const isRight = /^(\S+@\S+)?$/.test(cleanAddress(field.value));
      setIsMalformed(!isRight);
      if (!isRight) field.focus();
      return isRight;
    },
    submit: (form) => submitSubscribeForm(browserForms(), form, { site: settings }),
    settle,
  });
  const { isSending, latest, shownPost, edited, onSubmit, onInput } = submission;
  const answered = latest && !isSending && !edited.has("email") ? faultOf(latest) : null;
  const fault = isMalformed ? "malformed" : answered;
  const isAtFault = fault !== null && fault !== "failed";

  return (
    <form
      className="subscribe-form"
      id="subscribe"
      method="post"
      action="/newsletter"
      noValidate
      onSubmit={onSubmit}
      onInput={onInput}
      aria-busy={isSending}
    >
      <NoticeBoard />
      {shownPost && <NoticeSlip notice={shownPost.notice} autoFocus={!isAtFault} />}
      {latest?.ok && <SignUpStamp outcome={latest} />}
      <label className="field-label" htmlFor={fieldId}>
        {subscribeForm.label}
      </label>
      <div className="field-row">
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
          defaultValue={posted && !clearsField(posted) ? posted.email : ""}
          disabled={isSending}
          aria-required="true"
          aria-invalid={isAtFault || undefined}
          aria-describedby={fault ? `${errorId} ${consentId}` : consentId}
          onInput={() => setIsMalformed(false)}
          // biome-ignore lint/a11y/noAutofocus: only on the page that answers a post, where it is the field to mend.
          autoFocus={shownPost !== null && isAtFault}
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
      <input type="hidden" name={wordingField} value={wordingHash} />
      <Honeypot id="subscribe-website" />
      <p className="small below" id={consentId}>
        {unbroken(consentText({ ...settings, siteName: settings.name }))}
      </p>
    </form>
  );
});

type SignedUp = Extract<SubscribeOutcome, { ok: true }>;

function SignUpStamp({ outcome: { duplicate, email, receivedAt, notice } }: { outcome: SignedUp }) {
  const { received, known, next, missing } = subscribeForm.stamp;
  return (
    <div className="sheet cluster sign-up-stamp" tabIndex={-1}>
      <p className="stamp">
        {duplicate ? known : received}{" "}
        <time className="lettering" dateTime={receivedAt}>
          {longTorontoTime(receivedAt)}
        </time>
      </p>
      {duplicate ? (
        <div>
          <p className="lettering">{email}</p>
          <p>{notice.text}</p>
        </div>
      ) : (
        <div>
          <p>
            <b>{next(email)}</b>
          </p>
          <p>{missing}</p>
        </div>
      )}
    </div>
  );
}

function emailField(form: HTMLFormElement): HTMLInputElement {
  return form.querySelector(".field-input") as HTMLInputElement;
}

/** The disabled control lost the focus. */
function settle(outcome: SubscribeOutcome, form: HTMLFormElement) {
  const field = emailField(form);
  if (clearsField(outcome)) field.value = "";
  const fault = faultOf(outcome);
  const isAtFault = fault !== null && fault !== "failed";
  const next = form.querySelector<HTMLElement>(outcome.ok ? ".sign-up-stamp" : "button");
  const target = isAtFault ? field : next;
  target?.focus({ preventScroll: true });
  // Clear of the header and the notice.
  target?.scrollIntoView({ block: "center" });
}
