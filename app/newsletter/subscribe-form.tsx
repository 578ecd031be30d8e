import { useState } from "react";
import { consentText, subscribeForm } from "#content/subscribe-form.ts";
import { emailMaxLength } from "#content/text.ts";
import { longTorontoTime } from "#content/toronto-time.ts";
import { piece } from "../alive/piece.tsx";
import { Honeypot, useFormSubmission } from "../forms/form-parts.tsx";
import { browserForms } from "../forms/forms-client.ts";
import { useNamed, useSiteFacts } from "../site-facts.ts";
import { Button } from "../ui/button.tsx";
import { NoticeSlip } from "../ui/notices.tsx";
import { unbroken } from "../ui/unbroken.tsx";
import {
  cleanAddress,
  clearsField,
  faultOf,
  fieldOf,
  type SubscribeOutcome,
  type SubscribePlace,
  submitSubscribeForm,
  wordingField,
} from "./submit-subscribe-form.ts";

type SubscribeFormProps = {
  /** The masthead's form has its own names, since a page may have two. */
  place?: SubscribePlace;
  /** May be of the page's other form. */
  posted?: SubscribeOutcome | null;
};

/**
 * Posts to the archive's page from everywhere. Our notice answers an empty address, the browser a
 * malformed one.
 */
export const SubscribeForm = piece("SubscribeForm", (props: SubscribeFormProps) => {
  const { place = "page" } = props;
  const { settings, wordingHash } = useSiteFacts();
  const formId = place === "page" ? "subscribe" : `subscribe-${place}`;
  const [fieldId, consentId, errorId] = ["email", "consent", "error"].map(
    (part) => `${formId}-${part}`,
  );
  const posted = props.posted?.place === place ? props.posted : null;
  const [isMalformed, setIsMalformed] = useState(false);
  const submission = useFormSubmission<SubscribeOutcome>({
    what: "sign-up",
    posted,
    check(form) {
      const field = emailField(form);
      const address = cleanAddress(field.value);
      const isRight = address === "" || passesBrowserCheck(address);
      setIsMalformed(!isRight);
      if (!isRight) field.focus();
      return isRight;
    },
    submit: (form) => submitSubscribeForm(browserForms(), form, { site: settings }),
    settle,
  });
  const sendFrom = useNamed(subscribeForm.sendFrom);
  const { isSending, latest, shownPost, edited, onSubmit, onInput } = submission;
  const answered = latest && !isSending && !edited.has(fieldOf[place]) ? faultOf(latest) : null;
  const fault = isMalformed ? "malformed" : answered;
  const isAtFault = fault !== null && fault !== "failed";

  return (
    <form
      className="subscribe-form"
      id={formId}
      method="post"
      action="/newsletter"
      noValidate
      onSubmit={onSubmit}
      onInput={onInput}
      aria-busy={isSending}
    >
      {shownPost && <NoticeSlip notice={shownPost.notice} autoFocus={!isAtFault} />}
      {latest?.ok && <SignUpStamp outcome={latest} />}
      <label className="field-label" htmlFor={fieldId}>
        {subscribeForm.labels[place]}
      </label>
      <div className="field-row">
        <input
          className="field-input"
          id={fieldId}
          name={fieldOf[place]}
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
        <Button
          type="submit"
          variant={latest?.ok && !isSending ? "plain" : "primary"}
          disabled={isSending}
          aria-label={isSending || place === "page" ? undefined : sendFrom}
        >
          {isSending ? subscribeForm.sending : subscribeForm.send}
        </Button>
      </div>
      <input type="hidden" name={wordingField} value={wordingHash} />
      <Honeypot id={`${formId}-website`} />
      <p className="subscribe-consent muted" id={consentId}>
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

/** WebKit wants international domains in ASCII. */
function passesBrowserCheck(address: string): boolean {
  const probe = document.createElement("input");
  probe.type = "email";
  const at = address.lastIndexOf("@");
  const host = address.slice(at + 1);
  probe.value = /[^\p{ASCII}]/u.test(host) ? address.slice(0, at + 1) + asciiHost(host) : address;
  return probe.validity.valid;
}

function asciiHost(host: string): string {
  try {
    return new URL(`http://${host}`).hostname;
  } catch {
    return host;
  }
}

/** The disabled control lost the focus. */
function settle(outcome: SubscribeOutcome, form: HTMLFormElement) {
  const field = emailField(form);
  if (clearsField(outcome)) field.value = "";
  const fault = faultOf(outcome);
  const isAtFault = fault !== null && fault !== "failed";
  const next = form.querySelector<HTMLElement>(outcome.ok ? ".sign-up-stamp" : "button");
  focusInMiddle(isAtFault ? field : next);
}

/** Clear of the header and the notice. */
function focusInMiddle(element: HTMLElement | null) {
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: "center" });
}
