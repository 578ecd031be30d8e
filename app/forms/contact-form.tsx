import {
  type ComponentProps,
  createElement,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useState,
} from "react";
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
import { longTorontoTime } from "#content/toronto-time.ts";
import { piece } from "../alive/piece.tsx";
import { useSiteFacts } from "../site-facts.ts";
import { Button } from "../ui/button.tsx";
import { Link, opensElsewhere } from "../ui/link.tsx";
import { NoticeSlip } from "../ui/notices.tsx";
import {
  Honeypot,
  idempotencyField,
  mintIdempotencyKey,
  pageMadeField,
  useFormSubmission,
} from "./form-parts.tsx";
import { browserForms } from "./forms-client.ts";
import { type ContactOutcome, firstFault, submitContactForm } from "./submit-contact-form.ts";

const contactFormId = "contact-form";

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
    () => (posted ? failed?.idempotencyKey : draftKey()) || mintIdempotencyKey(),
  );
  useDraft(posted !== null, brought, key);
  useFirstFieldByLink();
  const [pageMadeAt] = useState(() => failed?.pageMadeAt ?? (posted ? "" : String(Date.now())));
  const submission = useFormSubmission<ContactOutcome>({
    what: "contact message",
    posted,
    async submit(form) {
      return await submitContactForm(browserForms(), form, {
        site: settings,
        openForMs: posted ? null : performance.now(),
        fromPage: pageBefore(),
      });
    },
    settle(outcome, form) {
      if (outcome.ok) {
        setKey(mintIdempotencyKey());
        clearFields(form);
        forgetDraft();
      }
      focusNext(outcome, form);
    },
  });

  const { isSending, latest, shownPost, edited, onSubmit, onInput } = submission;
  const postedFault = shownPost ? firstFault(shownPost) : undefined;
  const isUnsent = latest?.ok === false && !firstFault(latest) && !isSending;

  function field(name: ContactField) {
    const fault = latest && !latest.ok && !edited.has(name) ? latest.faults[name] : undefined;
    const isRequired = (requiredContactFields as ContactField[]).includes(name);
    const label = contactForm.labels[name];
    const first = name === "message" ? brought : "";
    return {
      name,
      label: isRequired ? label : `${label} ${contactForm.optional}`,
      error: fault && contactForm.faults[name]?.[fault],
      beside: isRequired && <span className="lettering">{contactForm.required}</span>,
      "aria-required": isRequired || undefined,
      defaultValue: failed?.values[name] ?? (posted ? "" : first),
      autoFocus: postedFault === name,
      maxLength: name === "subject" ? undefined : contactLimits[name],
      className: `order-${name}`,
    };
  }

  return (
    <form
      className="contact-form"
      id={contactFormId}
      method="post"
      action="/contact"
      noValidate
      onSubmit={onSubmit}
      onInput={(event) => {
        onInput(event);
        keepDraft(event.currentTarget, brought, key);
      }}
      aria-busy={isSending}
    >
      {shownPost && <NoticeSlip notice={shownPost.notice} autoFocus={!postedFault} />}
      {latest?.ok && <ReceivedOrder {...latest} />}
      <input type="hidden" name={idempotencyField} value={key} />
      <input type="hidden" name={pageMadeField} value={pageMadeAt} />
      <Honeypot id="contact-website" />
      <div className="cells order-fields" data-n="2">
        {contactFields.map((name) => (
          <Field key={name} {...field(name)} {...fieldKinds[name]}>
            {name === "subject" ? <Subjects /> : undefined}
          </Field>
        ))}
      </div>
      <div className="order-send cluster">
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
function pageBefore(): string | undefined {
  const { doNotTrack, globalPrivacyControl } = navigator as {
    globalPrivacyControl?: boolean;
  } & Navigator;
  if (doNotTrack === "1" || globalPrivacyControl) return undefined;
  if (!document.referrer.startsWith(`${location.origin}/`)) return undefined;
  const { pathname } = new URL(document.referrer);
  return pathname === location.pathname ? undefined : pathname;
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
  /** Visible only. */
  beside: ReactNode;
};

function Field({ tag = "input", label, name, error, beside, className, ...given }: FieldProps) {
  const errorId = error && `${name}-error`;
  return (
    <div className={`field ${className}`}>
      <div className="entry">
        <label className="field-label" htmlFor={name}>
          {label}
        </label>
        {beside}
      </div>
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

/** The visitor may save or print it. The form below is blank (specification). */
function ReceivedOrder({ values, receivedAt }: { values: ContactMessage; receivedAt: string }) {
  const { labels, received } = contactForm;
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
      <p className="received-blank">{received.blank}</p>
    </section>
  );
}

function useFirstFieldByLink() {
  useEffect(() => {
    function onClick(event: MouseEvent) {
      const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
      const form = formInPage();
      if (
        !form ||
        event.defaultPrevented ||
        opensElsewhere(event) ||
        link?.pathname !== location.pathname ||
        link.hash
      )
        return;
      event.preventDefault();
      fieldOf(form, "firstName").focus();
    }
    document.addEventListener("click", onClick);
    return () => document.removeEventListener("click", onClick);
  }, []);
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

/** Words by field, with `key` and `brought`. */
type Draft = Partial<Record<string, string>>;

const draftItem = "contact-draft";
const broughtField = "brought";

/** A browser may refuse. */
function storeDraft(draft: Draft): void {
  try {
    sessionStorage.setItem(draftItem, JSON.stringify(draft));
  } catch {}
}

function storedDraft(): Draft {
  try {
    return JSON.parse(sessionStorage.getItem(draftItem) ?? "{}");
  } catch {
    return {};
  }
}

function draftKey(): string | undefined {
  return storedDraft()[idempotencyField];
}

/** In this tab. `brought` is from the address. */
function keepDraft(form: HTMLFormElement, brought: string, key: string): void {
  const written = contactFields.map((name) => [name, fieldOf(form, name).value]);
  storeDraft({
    ...Object.fromEntries(written),
    [idempotencyField]: key,
    [broughtField]: brought || (storedDraft()[broughtField] ?? ""),
  });
}

function forgetDraft(): void {
  storeDraft({});
}

/** `form.reset()` would restore a failed post's values. */
function clearFields(form: HTMLFormElement): void {
  for (const name of contactFields) fieldOf(form, name).value = "";
}

/** Restores empty fields after a reload. A page that answers a post has its words already. */
function useDraft(isAnswer: boolean, brought: string, key: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as a browser fills in fields.
  useLayoutEffect(() => {
    const form = formInPage();
    if (isAnswer || !form) return forgetDraft();
    fieldOf(form, idempotencyField).value = key;
    const draft = storedDraft();
    for (const name of contactFields) {
      const field = fieldOf(form, name);
      const written = draft[name] ?? "";
      if (name !== "message") field.value ||= written;
      else if (["", brought].includes(field.value)) {
        field.value = joined(written, draft[broughtField], brought);
      }
    }
    keepDraft(form, brought, key);
  }, []);
}

/** Replaces an earlier text from an address. */
function joined(written: string, before: string | undefined, brought: string): string {
  if (written.includes(brought)) return written;
  if (before && written.includes(before)) return written.replace(before, () => brought);
  return written ? `${written}\n\n${brought}` : brought;
}

function formInPage(): HTMLFormElement | null {
  return document.querySelector<HTMLFormElement>(`#${contactFormId}`);
}

function fieldOf(form: HTMLFormElement, name: string): HTMLInputElement {
  return form.elements.namedItem(name) as HTMLInputElement;
}
