import { setTimeout } from "node:timers/promises";
import { Form, Link, redirect, useLoaderData } from "react-router";
import { amount, number } from "#content/amounts.ts";
import { shortTorontoTime } from "#content/toronto-time.ts";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { copyIssue } from "#newsletter/issues/bin.ts";
import { correctionOf } from "#newsletter/issues/drafts.ts";
import { findIssue } from "#newsletter/issues/issues.ts";
import { describeSendRefusal } from "#newsletter/issues/plan-words.ts";
import { removeIssue } from "#newsletter/issues/store-issue.ts";
import {
  previewSend,
  sendIssue,
  sendTestIssue,
  settingsMissingToSend,
} from "#newsletter/sends/send-issue.ts";
import { describeSendState } from "#newsletter/sends/send-words.ts";
import { countAudience, listSends } from "#newsletter/sends/sends.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";
import { missingWords } from "../missing-words.ts";
import { describeTest, readHour } from "../plan-words.ts";
import { Act, type Answer, Day, Field, Later, Page, Submit, When } from "../ui.tsx";
import { Notes } from "./editor-parts.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db, config, settings, now } = deskOf(args);
  const id = idOf(args);
  const issue = await findIssue(db, id);
  if (!issue) throw new Response(null, { status: 404 });
  const { html, ...head } = issue;
  const begins = prepareIssueBody(html).plainText.replaceAll(/\s+/g, " ");
  const [sends, { confirmed, withoutIssue }] = await Promise.all([
    listSends(db, { issueId: id }),
    countAudience(db, id),
  ]);
  const wasSent = sends.some(({ begunAt }) => begunAt !== null);
  const isOpen = sends.some(({ endedAt }) => endedAt === null);
  const recipients = wasSent ? withoutIssue : confirmed;
  const request = { issueId: id, audience: audienceOf(wasSent), at: null, preheader: null };
  // Comes after the page: it counts everybody again and composes the mail, and SQLite answers within the call.
  const preview = isOpen
    ? Promise.resolve(null)
    : setTimeout(20)
        .then(() => previewSend({ db, config, now: now() }, request))
        .then((seen) => (seen.ok ? seen.preview.notes : null));
  return {
    issue: head,
    begins: begins.length > 300 ? `${begins.slice(0, 299)}…` : begins,
    address: `${settings.url}/newsletter/${id}`,
    sends,
    isOpen,
    wasSent,
    isDone: wasSent && recipients === 0,
    recipients,
    seconds: recipients / config.smtpRate,
    preheader: issue.preheader,
    preview,
    missing: settingsMissingToSend(config).map(missingWords),
    testTo: config.contactTo,
  };
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const { db, now, config } = deskOf(args);
  const id = idOf(args);
  const form = await args.request.formData();
  const text = (name: string) => String(form.get(name) ?? "").trim();
  const site = { db, config, now: now() };
  const preheader = text("preheader") || null;
  switch (form.get("intent")) {
    case "copy": {
      const draft = await copyIssue(db, { id, now: now() });
      return redirect(draft === null ? "/issues" : `/issues/drafts/${draft}`);
    }
    case "correct": {
      const draft = await correctionOf(db, { issueId: id, now: now() });
      return redirect(draft === null ? "/issues" : `/issues/drafts/${draft}`);
    }
    case "remove": {
      const removed = await removeIssue(db, { id, now: now(), toBin: true });
      if (removed.ok) {
        return redirect(`/issues?binned=issue-${id}${removed.cancelledSend ? "&cancelled" : ""}`);
      }
      if (removed.reason === "unknown_issue") return redirect("/issues");
      return {
        ok: false,
        problems: ["It is being sent. Cancel the send first; then the issue can be removed."],
      };
    }
    case "test": {
      const to = text("to");
      const done = await sendTestIssue(site, { issueId: id, preheader, to });
      if (!done.ok && done.reason === "unknown_issue") return redirect("/issues");
      return describeTest(done, to);
    }
    case "send": {
      const at = text("at") ? readHour(text("at")) : null;
      if (at && !at.ok) return { ok: false, problems: [at.problem] };
      const audience = audienceOf(text("audience") === "new");
      const done = await sendIssue(site, {
        issueId: id,
        audience,
        preheader,
        at: at?.moment ?? null,
      });
      if (done.ok) return redirect(`/sends/${done.sendId}`);
      if (done.reason === "send_open") return redirect(`/sends/${done.openId}`);
      if (done.reason !== "settings_missing")
        return { ok: false, problems: [describeSendRefusal(done)] };
      const problems = [
        "It was not sent. Settings are missing:",
        ...done.missing.map(missingWords),
      ];
      return { ok: false, problems };
    }
    default:
      return { ok: false, problems: ["Nothing was done."] };
  }
}

function audienceOf(wasSent: boolean): "all" | "new" {
  return wasSent ? "new" : "all";
}

export default function Issue() {
  const {
    issue,
    address,
    sends,
    isOpen,
    wasSent,
    isDone,
    recipients,
    preheader,
    missing,
    ...loaded
  } = useLoaderData<typeof loader>();
  return (
    <Page
      title={`#${issue.number} ${issue.title}`}
      back={{ to: "/issues", name: "Issues" }}
      hasBeside
      actions={
        <>
          <Act intent="correct">Correct it</Act>
          <Act intent="copy">Copy it</Act>
          <Act
            intent="remove"
            kind="danger"
            sure={`Remove “${issue.title}” from the site? Mails that went out link to it, later issues move down by one number, and a planned send of it is cancelled.`}
          >
            Remove
          </Act>
        </>
      }
    >
      <section className="beside">
        <h2>The issue</h2>
        <p>
          <Day at={issue.publishDate} />
        </p>
        <p>{loaded.begins}</p>
        <a href={address} target="_blank" rel="noreferrer">
          See it on the site
        </a>
      </section>
      {sends.length > 0 && (
        <section>
          <h2>Sends</h2>
          <ul className="list">
            {sends.map((send) => (
              <li key={send.id}>
                <Link to={`/sends/${send.id}`}>
                  <b>{describeSendState(send, shortTorontoTime)}</b>
                  <span>
                    {send.begunAt
                      ? `${amount(send.counts.accepted, "mail")} delivered`
                      : send.endedAt
                        ? "nobody was mailed"
                        : `${number(send.toGo)} to go`}
                  </span>
                  {send.state !== "waiting" && <When at={send.begunAt ?? send.beginsAt} />}
                </Link>
              </li>
            ))}
          </ul>
        </section>
      )}
      {!isOpen && isDone && <p className="empty">Every confirmed subscriber has been sent it.</p>}
      {!isOpen && !isDone && (
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
            <Later
              value={loaded.preview}
              waiting="Looking at the mail…"
              failed="The mail could not be looked at. The window where the desk was started says why."
            >
              {(notes) => notes && <Notes notes={notes} />}
            </Later>
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
            <Notes notes={missing} />
            {recipients === 0 && <p className="empty">Nobody has confirmed yet.</p>}
            {recipients > 0 && missing.length === 0 && (
              <>
                <input type="hidden" name="audience" value={wasSent ? "new" : "all"} />
                <div className="row">
                  <Field label="Begin at, in Toronto’s time" help="Empty means now.">
                    <input type="datetime-local" name="at" />
                  </Field>
                  <Submit
                    intent="send"
                    kind="main"
                    sure={(fields) => {
                      const at = String(fields.get("at"));
                      const when = at ? `on ${at.replace("T", " at ")}, Toronto’s time` : "now";
                      return `Send “${issue.title}” to ${amount(recipients, "subscriber")} ${when}? ${at ? "It can be changed or cancelled until then." : "It can be paused, not called back."}`;
                    }}
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

function duration(seconds: number): string {
  if (seconds < 90) return "about a minute";
  if (seconds < 90 * 60) return `about ${Math.round(seconds / 60)} minutes`;
  return `about ${Math.round(seconds / 3_600)} hours`;
}
