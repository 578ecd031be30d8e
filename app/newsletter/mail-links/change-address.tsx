import { Form, Link, useLocation, useNavigation } from "react-router";
import { mailLinks } from "#content/pages/mail-links.ts";
import { emailMaxLength } from "#contracts/text.ts";
import { Button } from "../../ui/button.tsx";
import type { ChangeAddressOutcome } from "./change-address.server.ts";
import { MailLinkSheet } from "./mail-link-sheet.tsx";
import "../../ui/field.css";

const fieldId = "new-address";
const hintId = "new-address-hint";

const words = mailLinks.preferences;

/**
 * Where a reader asks for another address, or goes on to leave. The field is written out: its component, once two pages
 * share it, would travel with every form of the site.
 */
export function ChangeAddress({ outcome }: { outcome: ChangeAddressOutcome | null | undefined }) {
  const isBusy = useNavigation().state !== "idle";
  const { search } = useLocation();
  const failed = outcome && !outcome.ok ? outcome : null;
  const fault = failed && "fault" in failed ? words.faults[failed.fault] : null;
  return (
    <MailLinkSheet words={wordsFor(outcome)} isAnswer={Boolean(outcome && !fault)}>
      {!outcome?.ok && (
        <Form method="post">
          <div className="field-head">
            <label className="field-label" htmlFor={fieldId}>
              {words.label}
            </label>
          </div>
          <input
            className="field-input"
            id={fieldId}
            name="email"
            type="email"
            autoComplete="email"
            maxLength={emailMaxLength}
            required
            defaultValue={failed?.email}
            aria-invalid={fault !== null || undefined}
            aria-describedby={hintId}
            // biome-ignore lint/a11y/noAutofocus: only on the page that answers a post, where it is the field to mend.
            autoFocus={fault !== null}
          />
          <p className={fault ? "field-error" : "field-hint"} id={hintId}>
            {fault ?? words.hint}
          </p>
          <Button type="submit" className="mt-5" disabled={isBusy}>
            {isBusy ? words.busy : words.button}
          </Button>
        </Form>
      )}
      <p>
        {outcome?.ok ? (
          <Link to={mailLinks.archive.path}>{mailLinks.archive.label}</Link>
        ) : (
          <Link to={`${mailLinks.unsubscribe.head.path}${search}`}>{words.leave}</Link>
        )}
      </p>
    </MailLinkSheet>
  );
}

function wordsFor(outcome: ChangeAddressOutcome | null | undefined) {
  if (outcome?.ok) return words.done;
  if (outcome && "message" in outcome) {
    return { heading: mailLinks.failed.heading, text: outcome.message };
  }
  return words;
}
