import { Suspense } from "react";
import { Await, Form, Link, redirect, useLoaderData } from "react-router";
import { correctionOf } from "#newsletter/drafts.ts";
import { findIssue } from "#newsletter/issues.ts";
import { countAudience, findPreheader, listSends } from "#newsletter/sends/steer-send.ts";
import { removeIssue } from "#operator/issues.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";
import { Act, type Answer, amount, Field, Page, Submit, When } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

type Plan = { notes: string[] };

export async function loader(args: PageArgs) {
  const { db, config, settings, runCommand } = deskOf(args);
  const id = idOf(args);
  const issue = await findIssue(db, id);
  if (!issue) throw new Response(null, { status: 404 });
  const { html, ...head } = issue;
  const sends = await listSends(db, { issueId: id });
  const { confirmed, withoutIssue } = await countAudience(db, id);
  const wasSent = sends.some(({ begunAt }) => begunAt !== null);
  const isOpen = sends.some(({ endedAt }) => endedAt === null);
  const recipients = wasSent ? withoutIssue : confirmed;
  const onlyNew = wasSent ? ["--only-new"] : [];
  // Follows the page: it composes the mail.
  const plan = isOpen
    ? null
    : runCommand("issues", "send", String(id), "--dry-run", ...onlyNew).then(
        ({ exitCode, json }) => (exitCode === 0 ? (json as Plan) : null),
        () => null,
      );
  return {
    issue: head,
    address: `${settings.url}/newsletter/${id}`,
    sends,
    isOpen,
    wasSent,
    recipients,
    seconds: recipients / config.smtpRate,
    preheader: await findPreheader(db, id),
    plan,
    testTo: config.contactTo,
  };
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const { db, now, runCommand } = deskOf(args);
  const id = idOf(args);
  const form = await args.request.formData();
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const preheader = ["--preheader", text("preheader")];
  switch (form.get("intent")) {
    case "correct": {
      const draft = await correctionOf(db, { issueId: id, now: now() });
      return redirect(draft === null ? "/issues" : `/issues/drafts/${draft}`);
    }
    case "remove": {
      const removed = await removeIssue(db, { id, now: now() });
      if (removed.ok || removed.reason === "unknown_issue") return redirect("/issues");
      return { ok: false, problems: ["It is being sent: cancel the send first, then remove it."] };
    }
    case "test": {
      const to = text("to");
      const done = await runCommand("issues", "send", String(id), "--test", to, ...preheader);
      return done.exitCode === 0
        ? { ok: true, said: `The test is on its way to ${to}. Nobody else got it.` }
        : refusalOf(done.refusal);
    }
    case "send": {
      // Pressed again, since the first answer was lost on its way.
      const [open] = await listSends(db, { issueId: id, open: true });
      if (open) return redirect(`/sends/${open.id}`);
      const at = text("at").replace("T", " ");
      const onlyNew = text("audience") === "new" ? ["--only-new"] : [];
      const when = at ? ["--at", at] : [];
      const words = ["--yes", ...onlyNew, ...when, ...preheader];
      const done = await runCommand("issues", "send", String(id), ...words);
      if (done.exitCode !== 0) return refusalOf(done.refusal);
      return redirect(`/sends/${(done.json as { send: number }).send}`);
    }
    default:
      return { ok: false, problems: ["Nothing was done."] };
  }
}

function refusalOf(refusal: string | null): Answer {
  const lines = (refusal ?? "").split("\n");
  return { ok: false, problems: lines.filter((line) => line.trim() !== "") };
}

export default function Issue() {
  const { issue, address, sends, isOpen, wasSent, recipients, preheader, ...loaded } =
    useLoaderData<typeof loader>();
  return (
    <Page
      title={`#${issue.number} ${issue.title}`}
      back={{ to: "/issues", name: "Issues" }}
      actions={
        <>
          <a href={address} target="_blank" rel="noreferrer">
            See it on the site
          </a>
          <Act intent="correct">Correct it</Act>
          <Act
            intent="remove"
            kind="danger"
            sure={`Remove “${issue.title}” from the site? Mails that went out link to it, and later issues move down by one number.`}
          >
            Remove
          </Act>
        </>
      }
    >
      {sends.length > 0 && (
        <section>
          <h2>Sends</h2>
          <ul className="list">
            {sends.map((send) => (
              <li key={send.id}>
                <Link to={`/sends/${send.id}`}>
                  <b>{send.state}</b>
                  <span>{amount(send.counts.accepted, "mail")} taken by mail servers</span>
                  <When at={send.begunAt ?? send.beginsAt} />
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {!isOpen && (
        <section>
          <h2>Send</h2>
          <Form method="post" className="stack">
            <dl className="facts">
              <dt>To</dt>
              <dd>
                {amount(recipients, "confirmed subscriber")}
                {wasSent && " who have not been sent it; nobody gets it twice"}
              </dd>
              <dt>Subject</dt>
              <dd>{issue.title}</dd>
              <dt>Takes</dt>
              <dd>{duration(loaded.seconds)}</dd>
            </dl>
            <Suspense fallback={<p className="empty">Looking at the mail…</p>}>
              <Await resolve={loaded.plan}>{(plan) => plan && <Notes {...plan} />}</Await>
            </Suspense>
            <Field
              label="The line beside the subject"
              help="Mail programs show it in the inbox. Empty means the first words of the text."
            >
              <input name="preheader" maxLength={140} defaultValue={preheader ?? ""} />
            </Field>
            <div className="row">
              <Field label="Send yourself a test first">
                <input type="email" name="to" defaultValue={loaded.testTo} />
              </Field>
              <Submit intent="test">Send the test</Submit>
            </div>
            {recipients === 0 ? (
              <p className="empty">
                {wasSent
                  ? "Every confirmed subscriber has been sent it."
                  : "Nobody has confirmed yet."}
              </p>
            ) : (
              <>
                <input type="hidden" name="audience" value={wasSent ? "new" : "all"} />
                <div className="row">
                  <Field label="Begin at, in Toronto’s time" help="Empty means now.">
                    <input type="datetime-local" name="at" />
                  </Field>
                  <Submit
                    intent="send"
                    kind="main"
                    sure={`Send “${issue.title}” to ${amount(recipients, "subscriber")}? It can be paused, not called back.`}
                  >
                    Send to {amount(recipients, "subscriber")}
                  </Submit>
                </div>
              </>
            )}
          </Form>
        </section>
      )}
    </Page>
  );
}

function Notes({ notes }: Plan) {
  return (
    <ul className="findings">
      {notes.map((note) => (
        <li key={note} className="note">
          {note}
        </li>
      ))}
    </ul>
  );
}

function duration(seconds: number): string {
  if (seconds < 90) return "about a minute";
  if (seconds < 90 * 60) return `about ${Math.round(seconds / 60)} minutes`;
  return `about ${Math.round(seconds / 3_600)} hours`;
}
