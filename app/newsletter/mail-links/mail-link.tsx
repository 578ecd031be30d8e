import { Form, Link, useNavigation } from "react-router";
import { mailLinks } from "#content/pages/mail-links.ts";
import { ChalkLine } from "../../ui/chalk-line.tsx";
import { type MailLinkOutcome, mailLinkButton } from "./follow-mail-link.ts";
import "./mail-link.css";

type MailLinkProps = {
  words: (typeof mailLinks)["confirm" | "unsubscribe"];
  outcome: MailLinkOutcome | null | undefined;
};

/** The page of a link in mail: an explanation, and a stub with the button. */
export function MailLink({ words, outcome }: MailLinkProps) {
  const isBusy = useNavigation().state !== "idle";
  const { heading, text } = wordsFor(outcome, words);
  return (
    <section className="wrap section masthead mail-link">
      <div className="sheet">
        <div role={outcome ? "status" : undefined}>
          <h1>{heading}</h1>
          <ChalkLine snap />
          <p className="lede">{text}</p>
        </div>
        <div className="mail-link-stub">
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
        </div>
      </div>
    </section>
  );
}

function wordsFor(outcome: MailLinkProps["outcome"], words: MailLinkProps["words"]) {
  if (!outcome) return words;
  return outcome.ok ? words.done : { heading: mailLinks.failed.heading, text: outcome.message };
}
