import { Link, redirect, useLoaderData } from "react-router";
import { amount, number } from "#content/amounts.ts";
import { mondayMorning, shortDay, shortTorontoTime, torontoDate } from "#content/toronto-time.ts";
import { copyIssue, removeIssue } from "#newsletter/issues/bin.ts";
import { correctionOf } from "#newsletter/issues/drafts.ts";
import { readIssueEffects } from "#newsletter/issues/issue-effects.ts";
import { findIssue } from "#newsletter/issues/issues.ts";
import { listSends, missingToSend, sendIssue } from "#newsletter/sends/sends.ts";
import { previewSend, sendTestIssue } from "#newsletter/sends/trials.ts";
import { deskOf, hourOf, idOf, ownMailbox, type PageArgs } from "../desk-context.ts";
import { sendMarks } from "../issue-rows.ts";
import { Act, type Answer, Day, Figures, Menu, nothingDone, Page } from "../ui.tsx";
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
  const done = (await readIssueEffects(db, [id])).get(id);
  return {
    issue: head,
    address: `${settings.url}/newsletter/${id}`,
    effects: {
      ...(done?.delivered != null && {
        ...{ delivered: done.delivered, refused: done.refused },
        "left since": done.left,
      }),
      ...{ "visits by its links": done?.visits, "messages by its links": done?.messages },
    },
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
  const draftOr = (draft: number | null) =>
    redirect(draft === null ? "/issues" : `/issues/drafts/${draft}`);
  switch (form.get("intent")) {
    case "copy":
      return draftOr(await copyIssue(db, { id, now }));
    case "correct":
      return draftOr(await correctionOf(db, { issueId: id, now }));
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
  const { issue, address, effects, sends, sheet, isAgain } = useLoaderData<typeof loader>();
  const [last] = sends;
  const mailed = sends.flatMap(({ counts }) => Object.values(counts)).reduce((a, b) => a + b, 0);
  const reached = sends.reduce((sum, { counts }) => sum + counts.accepted, 0);
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
            <Act intent="copy" deed="Copy it" />
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
      <p className="about">
        {last ? (
          sends.map(({ id, state, words, begunAt, counts }) => (
            <Link key={id} className={`state ${sendMarks[state]}`} to={`/sends/${id}`}>
              {words}
              {begunAt && `, ${amount(counts.accepted, "mail")} delivered`}
            </Link>
          ))
        ) : (
          <span className="state off">Not mailed</span>
        )}
        <span>
          Published <Day at={issue.publishDate} />
        </span>
      </p>
      <Figures of={effects} />
      <div className="columns">
        <section>
          <h2>Send it</h2>
          {isAgain && <p>To those who have not been sent it. Nobody gets it twice.</p>}
          {last && sheet.problems.length > 0 ? (
            <p>
              {last.begunAt
                ? `Sent to ${number(reached)} of ${number(mailed)} · ${shortDay(last.begunAt)} `
                : `Goes out ${shortTorontoTime(last.beginsAt)} `}
              <Link to={`/sends/${last.id}`}>{last.begunAt ? "See the send" : "Change"}</Link>
            </p>
          ) : (
            <Sheet {...sheet} />
          )}
        </section>
        <Preview path={`/issues/${issue.id}`} />
      </div>
    </Page>
  );
}
