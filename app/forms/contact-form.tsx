import {
  type ComponentProps,
  createElement,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { flushSync } from "react-dom";
import { contactForm } from "#content/contact-form.ts";
import {
  type ContactField,
  type ContactMessage,
  contactFields,
  contactLimits,
  contactSubjectLabel,
  contactSubjects,
  requiredContactFields,
} from "#content/contact-message.ts";
import { hours } from "#content/hours.ts";
import { issueThatLedTo } from "#content/issue-links.ts";
import { longTorontoTime } from "#content/toronto-time.ts";
import { piece } from "../alive/piece.tsx";
import { useOwnWords, useSiteFacts } from "../site-facts.ts";
import { Button } from "../ui/button.tsx";
import { Link, opensElsewhere } from "../ui/link.tsx";
import { NoticeBoard, NoticeSlip, showNotice } from "../ui/notices.tsx";
import { openingState } from "../ui/open-now.tsx";
import {
  Honeypot,
  idempotencyField,
  mintIdempotencyKey,
  pageMadeField,
  useFormSubmission,
} from "./form-parts.tsx";
import { browserForms } from "./forms-client.ts";
import { type ContactOutcome, firstFault, submitContactForm } from "./submit-contact-form.ts";

const oneLine = { type: "text", enterKeyHint: "next" } as const;

const fieldKinds: Record<ContactField, FieldKind> = {
  firstName: { ...oneLine, autoComplete: "given-name" },
  lastName: { ...oneLine, autoComplete: "family-name" },
  email: { ...oneLine, type: "email", inputMode: "email", autoComplete: "email" },
  company: { ...oneLine, autoComplete: "organization" },
  phone: { ...oneLine, type: "tel", inputMode: "tel", autoComplete: "tel" },
  subject: { tag: "select" },
  message: { tag: "textarea", rows: 6 },
};

type ContactFormProps = {
  /** Without scripts. */
  posted: ContactOutcome | null;
  /** From the page's address; may be empty. */
  brought: string;
};

/** `noValidate`: our own notices (specification, section 8) report faults. */
export const ContactForm = piece("ContactForm", ({ posted, brought }: ContactFormProps) => {
  const { settings } = useSiteFacts();
  const failed = posted?.ok === false ? posted : null;
  const [key, setKey] = useState(
    () =>
      (posted ? failed?.idempotencyKey : storedDraft()[idempotencyField]) || mintIdempotencyKey(),
  );
  const form = useRef<HTMLFormElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as a browser fills in fields.
  useLayoutEffect(() => {
    // A page that answers a post has its words already.
    if (posted || !form.current) keepDraft(null);
    else restoreDraft(form.current, brought, key);
  }, []);
  const [left, setLeft] = useState<ContactOutcome | null>(null);
  const [pageMadeAt] = useState(() => failed?.pageMadeAt ?? (posted ? "" : String(Date.now())));
  const submission = useFormSubmission<ContactOutcome>({
    what: "contact message",
    posted,
    async submit(form) {
      return await submitContactForm(browserForms(), form, {
        site: settings,
        openForMs: posted ? null : performance.now(),
        ...pageBefore(),
      });
    },
    settle(outcome, form) {
      if (outcome.ok) {
        setKey(mintIdempotencyKey());
        // `reset` would restore a failed post's values.
        for (const name of contactFields) fieldOf(form, name).value = "";
        keepDraft(null);
      }
      focusNext(outcome, form);
    },
  });

  const { isSending, latest, shownPost, edited, onSubmit, onInput } = submission;
  const postedFault = shownPost ? firstFault(shownPost) : undefined;
  const isFolded = latest?.ok && latest !== left;
  const isUnsent = latest?.ok === false && !firstFault(latest) && !isSending;
  // Beside what is to be mended, or pressed again.
  const isAtFoot = isUnsent || (latest?.ok === false && firstFault(latest) === "message");

  function field(name: ContactField) {
    const fault =
      latest?.ok === false && !isSending && !edited.has(name) ? latest.faults[name] : undefined;
    const isRequired = (requiredContactFields as ContactField[]).includes(name);
    const label = contactForm.labels[name];
    const first = name === "message" ? brought : "";
    return {
      name,
      label: isRequired ? label : `${label} ${contactForm.optional}`,
      error: fault && contactForm.faults[name]?.[fault],
      "aria-required": isRequired || undefined,
      defaultValue: failed?.values[name] ?? (posted ? "" : first),
      // A number that came along is seen at once.
      autoFocus: postedFault === name || (name === "message" && brought !== ""),
      maxLength: name === "subject" ? undefined : contactLimits[name],
    };
  }

  /** A press on a link to this page begins a message. */
  const onPress = useEffectEvent((event: MouseEvent) => {
    const link = (event.target as Element).closest('a[href="/contact"]');
    if (!link || opensElsewhere(event) || !form.current) return;
    event.preventDefault();
    showNotice(null);
    flushSync(() => setLeft(latest));
    fieldOf(form.current, "firstName").focus();
  });
  useEffect(() => {
    const listen = (event: MouseEvent) => onPress(event);
    document.addEventListener("click", listen);
    return () => document.removeEventListener("click", listen);
  }, []);

  return (
    <form
      className="contact-form"
      id="contact-form"
      ref={form}
      method="post"
      action="/contact"
      noValidate
      onSubmit={onSubmit}
      onInput={(event) => {
        onInput(event);
        keepDraft(event.currentTarget);
      }}
      aria-busy={isSending}
    >
      <NoticeBoard isHere={!isAtFoot} />
      {shownPost && <NoticeSlip notice={shownPost.notice} autoFocus={!postedFault} />}
      {latest?.ok && isFolded && <ReceivedOrder {...latest} />}
      <input type="hidden" name={idempotencyField} value={key} />
      <input type="hidden" name={pageMadeField} value={pageMadeAt} />
      <Honeypot id="contact-website" />
      <div className="order-fields" hidden={isFolded}>
        {contactFields.map((name) => (
          <Field key={name} {...field(name)} {...fieldKinds[name]}>
            {name === "subject" ? <Subjects /> : undefined}
          </Field>
        ))}
      </div>
      <NoticeBoard isHere={isAtFoot} />
      <div className="order-send cluster" hidden={isFolded}>
        <Button type="submit" disabled={isSending}>
          {isSending ? contactForm.sending : contactForm.send}
        </Button>
        {/* The notice can be closed. */}
        {isUnsent && <p className="field-error">{contactForm.unsent}</p>}
        <p className="small">
          {contactForm.privacy.text}{" "}
          <Link to={contactForm.privacy.link.path}>{contactForm.privacy.link.label}</Link>
        </p>
      </div>
    </form>
  );
});

/** Respects Do Not Track. */
function pageBefore(): { fromPage?: string; fromIssue?: number | null } {
  const { doNotTrack, globalPrivacyControl } = navigator as {
    globalPrivacyControl?: boolean;
  } & Navigator;
  if (doNotTrack === "1" || globalPrivacyControl) return {};
  const isOwn = document.referrer.startsWith(`${location.origin}/`);
  const before = new URL(isOwn ? document.referrer : location.href);
  const fromIssue = issueThatLedTo(location.search) ?? issueThatLedTo(before.search);
  const fromPage = before.pathname;
  return fromPage === location.pathname ? { fromIssue } : { fromPage, fromIssue };
}

function Subjects() {
  return (
    <>
      <option value="">{contactForm.noSubject}</option>
      {contactSubjects.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </>
  );
}

type FieldKind = { tag?: "input" | "textarea" | "select"; rows?: number } & ComponentProps<"input">;

type FieldProps = FieldKind & {
  label: string;
  name: string;
  error?: string;
};

function Field({ tag = "input", label, name, error, ...given }: FieldProps) {
  const errorId = error && `${name}-error`;
  return (
    <div className="field">
      <label className="field-label" htmlFor={name}>
        {label}
      </label>
      {createElement(tag, {
        className: "field-input",
        ...given,
        id: name,
        name,
        "aria-invalid": error ? true : undefined,
        "aria-describedby": errorId,
      })}
      {error && (
        <p className="field-error" id={errorId}>
          {error}
        </p>
      )}
    </div>
  );
}

/** The visitor may save or print it. The blank form is folded below it. */
function ReceivedOrder({ values, receivedAt }: { values: ContactMessage; receivedAt: string }) {
  const { labels, received } = contactForm;
  const opening = openingState(new Date(receivedAt), useOwnWords("hours", hours));
  const { firstName, lastName, subject, ...others } = values;
  const entries = {
    [received.name]: `${firstName} ${lastName}`,
    [labels.email]: others.email,
    [labels.company]: others.company,
    [labels.phone]: others.phone,
    [labels.subject]: contactSubjectLabel(subject),
    [labels.message]: others.message,
  };
  return (
    <section
      className="received-order"
      aria-labelledby="received-heading received-stamp"
      tabIndex={-1}
    >
      <div className="received-head apart">
        <h3 id="received-heading">{received.heading}</h3>
        <p className="stamp" id="received-stamp">
          {received.stamp}{" "}
          <time className="lettering" dateTime={receivedAt}>
            {longTorontoTime(receivedAt)}
          </time>
        </p>
      </div>
      <dl className="cells" data-n="2">
        {Object.entries(entries).map(
          ([label, value]) =>
            value && (
              <div key={label}>
                <dt className="lettering">{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
      </dl>
      <p className="received-next">{received.next(opening)}</p>
      <p className="received-next">
        <Link to="/contact">{received.another}</Link>
      </p>
    </section>
  );
}

/** The first fault, the received message, or the submit button. */
function focusNext(outcome: ContactOutcome, form: HTMLFormElement) {
  const fault = firstFault(outcome);
  if (fault) fieldOf(form, fault).focus();
  else if (outcome.ok) {
    const order = form.querySelector<HTMLElement>(".received-order");
    order?.focus({ preventScroll: true });
    order?.scrollIntoView({ block: "start" });
  } else form.querySelector<HTMLElement>("button[type=submit]")?.focus();
}

const draftItem = "contact-draft";

/** Words by field, with the key. A browser may refuse. */
function storedDraft(): Partial<Record<string, string>> {
  try {
    return JSON.parse(sessionStorage.getItem(draftItem) ?? "{}");
  } catch {
    return {};
  }
}

/** In this tab. */
function keepDraft(form: HTMLFormElement | null): void {
  const draft = form ? Object.fromEntries(new FormData(form)) : {};
  try {
    sessionStorage.setItem(draftItem, JSON.stringify(draft));
  } catch {}
}

/** Fills empty fields after a reload. */
function restoreDraft(form: HTMLFormElement, brought: string, key: string): void {
  fieldOf(form, idempotencyField).value = key;
  const draft = storedDraft();
  for (const name of contactFields) {
    const field = fieldOf(form, name);
    const written = draft[name] ?? "";
    if (name !== "message") field.value ||= written;
    else if (["", brought].includes(field.value)) {
      const isIn = written.includes(brought);
      field.value = isIn ? written : [written, brought].filter(Boolean).join("\n\n");
    }
  }
  keepDraft(form);
}

function fieldOf(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}
