import { Form, useLocation } from "react-router";
import { newsletter } from "#content/pages/newsletter.ts";
import "./load-failure.css";

type LoadFailureProps = {
  onRetry?: () => void;
  /** Whether the page has no other first heading. */
  isPageHeading?: boolean;
};

/** Its button reads again what the address asks for: a plain form, so that it also works with scripts off. */
export function LoadFailure({ onRetry, isPageHeading = false }: LoadFailureProps) {
  const { heading, text, retry } = newsletter.failure;
  const { pathname, search } = useLocation();
  const Heading = isPageHeading ? "h1" : "h2";
  const chosen = new URLSearchParams(search).get("issue");
  return (
    <section className="sheet load-failure" aria-labelledby="load-failure-heading">
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
