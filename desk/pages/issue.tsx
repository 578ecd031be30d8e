import { Link, redirect, useLoaderData } from "react-router";
import { amount } from "#content/amounts.ts";
import { mondayMorning, shortDay, torontoDate } from "#content/toronto-time.ts";
import { removeIssue } from "#newsletter/issues/bin.ts";
import { correctionOf } from "#newsletter/issues/drafts.ts";
import { readIssueEffects } from "#newsletter/issues/issue-effects.ts";
import { findIssue } from "#newsletter/issues/issues.ts";
import { listSends, missingToSend, sendIssue } from "#newsletter/sends/sends.ts";
import { previewSend, sendTestIssue } from "#newsletter/sends/trials.ts";
import { deskOf, hourOf, idOf, ownMailbox, type PageArgs } from "../desk-context.ts";
import { sendMark } from "../issue-rows.ts";
import { Act, type Answer, Figures, Menu, nothingDone, Page } from "../ui.tsx";
import { Preview } from "./editor-parts.tsx";
import { Sheet } from "./sheet.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const desk = deskOf(args);
  const { db, config, settings, now } = desk;
  const id = idOf(args);
  const issue = await findIssue(db, id);
  if (!issue) throw new Response(null, { status: 404 });
  const { html: _, ...head } = issue;
  const seen = await previewSend(desk, { issueId: id, at: null });
  const effects = await readIssueEffects(db, [id]);
  const { delivered = null, refused, left, visits = 0, messages = 0 } = effects.get(id) ?? {};
  const day = shortDay(issue.publishDate);
  return {
    issue: head,
    address: `${settings.url}/newsletter/${id}`,
    effects: delivered !== null && { delivered, refused, "left since": left, visits, messages },
    published:
      delivered === null
        ? `Not mailed yet. Published ${day}: ${amount(visits, "visit")}, ${amount(messages, "message")}.`
        : `Published ${day}`,
    sends: await listSends(db, { issueId: id }),
    isAgain: seen.ok && seen.isAgain,
    sheet: {
      title: issue.title,
      isPublished: true,
      ...(seen.ok
        ? { recipients: seen.recipients, notes: seen.notes, problems: [] }
        : { recipients: 0, notes: [], problems: [seen.problem] }),
      missing: missingToSend(config).map(({ problem }) => problem),
      ...{ monday: mondayMorning(now).value, today: torontoDate(now), testTo: ownMailbox(config) },
    },
  };
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const desk = deskOf(args);
  const { db, now } = desk;
  const id = idOf(args);
  const form = await args.request.formData();
  switch (form.get("intent")) {
    case "correct": {
      const draft = await correctionOf(db, { issueId: id, now });
      return redirect(draft === null ? "/issues" : `/issues/drafts/${draft}`);
    }
    case "remove": {
      const removed = await removeIssue(db, { id, now, toBin: true });
      if (!removed.ok) return removed;
      return redirect(`/issues?binned=issue-${id}${removed.cancelledSend ? "&cancelled" : ""}`);
    }
    case "test": {
      const sent = await sendTestIssue(desk, { issueId: id, to: String(form.get("to")).trim() });
      return sent.ok ? { ok: true, said: sent.said } : sent;
    }
    case "publish": {
      const hour = hourOf(form);
      if (!hour.ok) return hour;
      const done = await sendIssue(desk, { issueId: id, at: hour.at });
      const send = done.ok ? done.sendId : done.openId;
      return send === undefined && !done.ok ? done : redirect(`/sends/${send}`);
    }
    default:
      return nothingDone;
  }
}

export default function Issue() {
  const { issue, address, effects, published, sends, sheet, isAgain } =
    useLoaderData<typeof loader>();
  const isMailed = sends.length > 0;
  const isToSend = !isMailed || sheet.problems.length === 0;
  return (
    <Page
      title={`#${issue.number} ${issue.title}`}
      back={{ to: "/issues", name: "Issues" }}
      actions={
        <>
          <Act intent="correct" deed="Edit" />
          <a className="button" href={address} target="_blank" rel="noreferrer">
            See it on the site
          </a>
          <Menu label={`More for ${issue.title}`}>
            <Act
              intent="remove"
              kind="danger"
              sure={`Remove “${issue.title}” from the site? Mails that went out link to it, later issues move down by one number, and a planned send of it is cancelled.`}
              deed="Remove"
            />
          </Menu>
        </>
      }
    >
      <div className="columns">
        <div className="stack">
          {isMailed && (
            <section>
              <h2>{effects ? "What it did" : "Its send"}</h2>
              {effects && <Figures of={effects} />}
              <p className="about">
                <span>{published}</span>
                {sends.map(({ id, words, begunAt, counts, ...send }) => (
                  <Link key={id} className={`state ${sendMark(send)}`} to={`/sends/${id}`}>
                    {words}
                    {begunAt && `, ${amount(counts.accepted, "mail")} delivered`}
                  </Link>
                ))}
              </p>
            </section>
          )}
          {isToSend && (
            <section>
              <h2>Send it</h2>
              {isMailed || <p className="about">{published}</p>}
              {isAgain && <p>To those who have not been sent it. Nobody gets it twice.</p>}
              <Sheet {...sheet} />
            </section>
          )}
        </div>
        <Preview path={`/issues/${issue.id}`} />
      </div>
    </Page>
  );
}
