import { Form, useLocation } from "react-router";
import { newsletter } from "#content/pages/newsletter.ts";
import { OwnStyles } from "../../ui/own-styles.tsx";
import styles from "./no-issue-yet.css?url";

type LoadFailureProps = {
  onRetry?: () => void;
  /** Whether the page has no other first heading. */
  isPageHeading?: boolean;
};

/** Its button reads again what the address asks for: a plain form, so that it also works with scripts off. */
export function LoadFailure({ onRetry, isPageHeading = false }: LoadFailureProps) {
  const { lead, heading, text, retry } = newsletter.failure;
  const { pathname, search } = useLocation();
  const Heading = isPageHeading ? "h1" : "h2";
  const chosen = new URLSearchParams(search).get("issue");
  return (
    <section className="sheet no-issue-yet load-failure" aria-labelledby="load-failure-heading">
      <OwnStyles href={styles} />
      <p className="lede">{lead}</p>
      <Heading id="load-failure-heading">{heading}</Heading>
      <p>{text}</p>
      <Form method="get" action={pathname} preventScrollReset onSubmit={onRetry}>
        {chosen && <input type="hidden" name="issue" value={chosen} />}
        <button type="submit" className="button">
          {retry}
        </button>
      </Form>
    </section>
  );
}
