import { Link, useLoaderData } from "react-router";
import {
  cancelSend,
  findSend,
  listSendRows,
  openRows,
  pauseSend,
  resumeSend,
} from "#newsletter/sends/steer-send.ts";
import { deskOf, idOf, type PageArgs, readId } from "../desk-context.ts";
import { Act, type Answer, amount, LookAgain, number, Page, When } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

const lookEveryMs = 2_000;
const pageRows = 100;

export async function loader(args: PageArgs) {
  const { db, config, now } = deskOf(args);
  const id = idOf(args);
  const send = await findSend(db, id);
  if (!send) throw new Response(null, { status: 404 });
  const afterId = readId(new URL(args.request.url).searchParams.get("after")) ?? 0;
  const refused = await listSendRows(db, {
    sendId: id,
    state: "refused",
    afterId,
    limit: pageRows,
  });
  const total = Object.values(send.counts).reduce((sum, count) => sum + count, 0);
  const left = openRows(send.counts);
  const runsForMs = send.begunAt ? now().getTime() - Date.parse(send.begunAt) : 0;
  const rate =
    send.endedAt === null && runsForMs > 5_000 ? ((total - left) / runsForMs) * 1_000 : 0;
  return {
    send,
    total,
    left,
    rate,
    secondsLeft: left / (rate || config.smtpRate),
    refused,
    more: refused.length === pageRows ? `?after=${refused.at(-1)?.id}` : null,
  };
}

export async function action(args: PageArgs): Promise<Answer> {
  const { db, now } = deskOf(args);
  const id = idOf(args);
  const intent = String((await args.request.formData()).get("intent"));
  const done =
    intent === "pause"
      ? await pauseSend(db, { id })
      : intent === "resume"
        ? await resumeSend(db, id, now())
        : await cancelSend(db, { id, now: now() });
  if (done.ok) return { ok: true, said: said[done.state] ?? "Done." };
  return { ok: false, problems: ["That isn't possible any more: look at how it stands now."] };
}

const said: Record<string, string> = {
  paused: "Paused. Mails under way still arrive.",
  sending: "It goes on.",
  waiting: "It waits for its hour.",
  cancelled: "Cancelled. Whoever has not been mailed gets nothing.",
};

const heading = {
  waiting: "Waits for its hour",
  sending: "Sending",
  paused: "Paused",
  finished: "Sent",
  cancelled: "Cancelled",
};

const outcomes = [
  ["accepted", "taken by their mail servers"],
  ["refused", "refused for good"],
  ["deferred", "to be tried again"],
  ["handed_over", "under way"],
  ["waiting", "still to go"],
  ["withdrawn", "not mailed: left, bounced or cancelled"],
] as const;

export default function Send() {
  const { send, total, left, rate, secondsLeft, refused, more } = useLoaderData<typeof loader>();
  const isOpen = send.endedAt === null;
  return (
    <Page
      title={`${heading[send.state]}: ${send.title}`}
      back={{ to: `/issues/${send.issueId}`, name: "The issue" }}
      actions={
        isOpen && (
          <>
            {send.state === "paused" ? (
              <Act intent="resume" kind="main">
                Resume
              </Act>
            ) : (
              <Act intent="pause">Pause</Act>
            )}
            <Act
              intent="cancel"
              kind="danger"
              sure="Cancel it? Whoever has not been mailed gets nothing."
            >
              Cancel
            </Act>
          </>
        )
      }
    >
      {isOpen && <LookAgain everyMs={lookEveryMs} />}
      {send.pauseReason && (
        <p className="notice wrong">It paused itself: {send.pauseReason} Mend that, then resume.</p>
      )}
      <section>
        {total > 0 && (
          <p>
            <progress max={total} value={total - left} aria-label="Mails that are through" />{" "}
            {total - left} of {amount(total, "subscriber")}
            {send.state === "sending" && rate > 0 && `, ${rate.toFixed(1)} a second`}
            {send.state === "sending" && `, about ${Math.ceil(secondsLeft / 60)} min left`}
          </p>
        )}
        <dl className="facts">
          <dt>{send.begunAt ? "Began" : "Begins"}</dt>
          <dd>
            <When at={send.begunAt ?? send.beginsAt} />
          </dd>
          {send.endedAt && (
            <>
              <dt>Ended</dt>
              <dd>
                <When at={send.endedAt} />
              </dd>
            </>
          )}
          {outcomes.map(([state, words]) => (
            <div key={state} className="pair">
              <dt>{number(send.counts[state])}</dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
      </section>
      {refused.length > 0 && (
        <section>
          <h2>Refused</h2>
          <table>
            <thead>
              <tr>
                <th>Address</th>
                <th>The mail server’s words</th>
              </tr>
            </thead>
            <tbody>
              {refused.map((row) => (
                <tr key={row.id}>
                  <td>{row.email ?? "erased"}</td>
                  <td>{row.answer}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {more && <Link to={more}>More</Link>}
        </section>
      )}
    </Page>
  );
}
