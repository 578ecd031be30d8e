import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { contactForm } from "#content/contact-form.ts";
import { longTorontoTime } from "#content/toronto-time.ts";
import {
  type ContactField,
  type ContactMessage,
  contactFields,
  contactLimits,
  contactSubjectLabel,
  contactSubjects,
  requiredContactFields,
} from "#contracts/contact-message.ts";
import { browserForms } from "../backend-client.ts";
import { useSiteFacts } from "../site-facts.ts";
import { Button } from "../ui/button.tsx";
import { SelectField, TextAreaField, TextField } from "../ui/field.tsx";
import { Link } from "../ui/link.tsx";
import { NoticeSlip } from "../ui/notices.tsx";
import { fetchStyles, OwnStyles } from "../ui/own-styles.tsx";
import { broughtMessage } from "../worksheet/calculation-sheet.tsx";
import {
  browserOpenForMs,
  Honeypot,
  idempotencyField,
  mintIdempotencyKey,
  pageMadeField,
  useFormSubmission,
  usePostedOutcome,
} from "./form-parts.tsx";
import styles from "./received-order.css?url";
import { type ContactOutcome, firstFault, submitContactForm } from "./submit-contact-form.ts";
import "./contact-form.css";

type Unsent = { form: FormData; brought: string };

/** The last unsent form while the document is open. Only a browser writes it. */
let unsent: Unsent | null = null;

/**
 * Restores the form's fields when the visitor returns from another page of ours; the browser does this only for new
 * documents. `brought` is text from the address, which is added to the message in place of any earlier text from an
 * address.
 */
function useUnsentMessage(brought: string) {
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
    /** The message may have arrived under this key. */
    key: keptOf(idempotencyField),
    valueOf: (name: ContactField) =>
      name === "message" ? joined(keptOf(name), kept?.brought, brought) : keptOf(name),
  };
}

/** Also runs if the answer comes after the visitor left the page. */
function forgetUnsentMessage() {
  unsent = null;
}

function joined(written: string, before: string | undefined, brought: string): string {
  if (written.includes(brought)) return written;
  if (before && written.includes(before)) return written.replace(before, () => brought);
  return written ? `${written}\n\n${brought}` : brought;
}

const { received } = contactForm;
const { labels } = received;

type ReceivedOrderProps = {
  values: ContactMessage;
  receivedAt: string;
  /** Whether the page answers a post without scripts, and so must include the styles. */
  isPosted: boolean;
};

/**
 * The sent message, stamped, for the visitor to save or print. The form below it is blank, as the specification says.
 */
function ReceivedOrder({ values, receivedAt, isPosted }: ReceivedOrderProps) {
  const entries = [
    [labels.name, `${values.firstName} ${values.lastName}`],
    [labels.email, values.email],
    [labels.company, values.company],
    [labels.phone, values.phone],
    [labels.subject, contactSubjectLabel(values.subject)],
    [labels.message, values.message],
  ];
  return (
    <section
      className="received-order"
      aria-labelledby="received-heading received-stamp"
      tabIndex={-1}
    >
      {isPosted && <OwnStyles href={styles} />}
      <div className="received-head">
        <h3 id="received-heading">{received.heading}</h3>
        <p className="received-stamp" id="received-stamp">
          {received.stamp} {/* Engines format the spaces of a time differently. */}
          <time dateTime={receivedAt} suppressHydrationWarning>
            {longTorontoTime(receivedAt)}
          </time>
        </p>
      </div>
      <dl>
        {entries.map(
          ([label, value]) =>
            value && (
              <div key={label}>
                <dt className="lettering">{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <p className="received-blank">{received.blank}</p>
    </section>
  );
}

/** Early, so that nothing waits for the styles. */
function fetchReceivedOrderStyles(): void {
  fetchStyles(styles);
}

/**
 * Scrolls to the received message and moves a screen reader there. Fetches the styles again, because a window in the
 * background gets no focus event.
 */
function focusReceivedOrder(form: HTMLFormElement): void {
  fetchReceivedOrderStyles();
  const order = form.querySelector<HTMLElement>(".received-order");
  order?.focus({ preventScroll: true });
  order?.scrollIntoView({ block: "start" });
}

const formId = "contact-form";

/**
 * The message to the firm, drawn as a work order. `noValidate`, because our own notices (specification, section 8)
 * report faults.
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
        // On a page that answers a post, the visitor may submit again at once.
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
      {/* The server's key differs from the browser's first; either works. */}
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
        {/* Repeats the notice, which can be closed. */}
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
 * The key that makes repeats of a message count once. The server puts one into the page for posts without scripts; the
 * browser makes its own, because cached pages are shared. An unsent message keeps its key.
 */
function useIdempotencyKey(posted: ContactOutcome | null, unsent: string) {
  const kept = posted && !posted.ok ? posted.idempotencyKey : unsent;
  const [value, setValue] = useState(() => kept || mintIdempotencyKey());
  useEffect(() => {
    if (!kept) setValue(mintIdempotencyKey());
  }, [kept]);
  return { value, renew: () => setValue(mintIdempotencyKey()) };
}

function firstPageMadeAt(posted: ContactOutcome): string {
  return posted.ok ? "" : posted.pageMadeAt;
}

/** Unlike `form.reset()`, which restores the values of a failed post. */
function clearFields(form: HTMLFormElement) {
  for (const name of contactFields) {
    (form.elements.namedItem(name) as HTMLInputElement).value = "";
  }
}

/**
 * Focuses the first faulty field, the received message, or else the submit button, which lost the focus while disabled.
 */
function focusNext(outcome: ContactOutcome, form: HTMLFormElement) {
  const fault = firstFault(outcome);
  if (fault) (form.elements.namedItem(fault) as HTMLElement).focus();
  else if (outcome.ok) focusReceivedOrder(form);
  // Clear of the notice, since it is to be pressed again.
  else form.querySelector<HTMLElement>("button[type=submit]")?.focus();
}
