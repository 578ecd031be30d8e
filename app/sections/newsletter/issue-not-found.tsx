import { newsletter } from "#content/pages/newsletter.ts";

/** The screen for an address that leads to no issue. */
export function IssueNotFound() {
  const { heading, text } = newsletter.notFound;
  return (
    <div className="issue-pane">
      <h1>{heading}</h1>
      <p className="lede mt-4">{text}</p>
    </div>
  );
}
