import { Form, Link, useNavigation } from "react-router";
import { mailLinks } from "#content/pages/mail-links.ts";
import type { MailLinkOutcome } from "./follow-mail-link.server.ts";
import { mailLinkButton } from "./mail-link-button.ts";
import { MailLinkSheet } from "./mail-link-sheet.tsx";

type MailLinkProps = {
  words: (typeof mailLinks)["confirm" | "unsubscribe"];
  outcome: MailLinkOutcome | null | undefined;
};

/** Says what the link in the mail is for, and does it when the button is pressed. */
export function MailLink({ words, outcome }: MailLinkProps) {
  const isBusy = useNavigation().state !== "idle";
  return (
    <MailLinkSheet words={wordsFor(outcome, words)} isAnswer={Boolean(outcome)}>
      {!outcome?.ok && (
        <Form method="post">
          <button
            type="submit"
            className="button button-primary"
            disabled={isBusy}
            {...mailLinkButton}
          >
            {isBusy ? words.busy : words.button}
          </button>
        </Form>
      )}
      <p>
        <Link to={mailLinks.archive.path}>{mailLinks.archive.label}</Link>
      </p>
    </MailLinkSheet>
  );
}

function wordsFor(outcome: MailLinkProps["outcome"], words: MailLinkProps["words"]) {
  if (!outcome) return words;
  return outcome.ok ? words.done : { heading: mailLinks.failed.heading, text: outcome.message };
}
