import { contactForm } from "#content/contact-form.ts";
import { longTorontoTime } from "#content/toronto-time.ts";
import { contactSubjectLabel } from "#contracts/contact-form.ts";
import type { ContactMessage } from "#contracts/contact-message.ts";
import { fetchStyles, OwnStyles } from "../ui/own-styles.tsx";
import styles from "./received-order.css?url";

const { received } = contactForm;
const { labels } = received;

type ReceivedOrderProps = {
  values: ContactMessage;
  receivedAt: string;
  /** As a page that answers a post brings it, with its styles. */
  isPosted: boolean;
};

/**
 * The message that has been sent, stamped, where it was written: what a visitor keeps or prints. The form below it is
 * blank, as the specification has it.
 */
export function ReceivedOrder({ values, receivedAt, isPosted }: ReceivedOrderProps) {
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
          {received.stamp} {/* Engines differ in the spaces of a time. */}
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

/** Before there is anything to show, so that nothing waits for its styles. */
export function fetchReceivedOrderStyles(): void {
  fetchStyles(styles);
}

/**
 * Brings what was received into sight and has a screen reader go on from there. Its styles are asked for once more: a
 * window that was in the background has told of no focus.
 */
export function focusReceivedOrder(form: HTMLFormElement): void {
  fetchReceivedOrderStyles();
  const order = form.querySelector<HTMLElement>(".received-order");
  order?.focus({ preventScroll: true });
  order?.scrollIntoView({ block: "start" });
}
