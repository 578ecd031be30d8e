import { Form, Link, useLoaderData } from "react-router";
import { amount, number } from "#content/amounts.ts";
import { describeHourRefusal } from "#newsletter/issues/plan-words.ts";
import { listSendRows } from "#newsletter/sends/recipients.ts";
import { type Steering, steerSend } from "#newsletter/sends/send-issue.ts";
import { sendWord } from "#newsletter/sends/send-words.ts";
import { findSend } from "#newsletter/sends/sends.ts";
import { deskOf, idOf, type PageArgs, readId } from "../desk-context.ts";
import { readHour } from "../plan-words.ts";
import { Act, type Answer, Field, LookAgain, Page, Submit, When } from "../ui.tsx";

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
  const left = send.begunAt ? send.toGo : 0;
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
  const desk = deskOf(args);
  const steering = steeringOf(await args.request.formData());
  if (!steering) return { ok: false, problems: ["Nothing was done."] };
  if ("problem" in steering) return { ok: false, problems: [steering.problem] };
  const site = { db: desk.db, now: desk.now() };
  const done = await steerSend(site, idOf(args), steering);
  if (done.ok) return { ok: true, said: said[steering.deed] };
  if (done.reason === "hour_is_over" || done.reason === "too_far_ahead") {
    return { ok: false, problems: [describeHourRefusal(done)] };
  }
  return { ok: false, problems: ["That isn't possible any more: look at how it stands now."] };
}

function steeringOf(form: FormData): Steering | { problem: string } | null {
  const intent = form.get("intent");
  if (intent === "pause" || intent === "resume" || intent === "cancel") return { deed: intent };
  if (intent !== "move") return null;
  const at = readHour(String(form.get("at")));
  return at.ok ? { deed: "move", at: at.moment } : { problem: at.problem };
}

const said: Record<Steering["deed"], string> = {
  pause: "Paused. Mails under way still arrive.",
  resume: "It goes on.",
  move: "It has its new hour.",
  cancel: "Cancelled. Whoever has not been mailed gets nothing.",
};

const outcomes = [
  ["accepted", "delivered to their mail servers"],
  ["refused", "refused for good"],
  ["deferred", "to be tried again"],
  ["handed_over", "under way"],
  ["waiting", "still to go"],
  ["withdrawn", "not mailed: left, cancelled, or earlier mail came back"],
] as const;

export default function Send() {
  const { send, total, left, rate, secondsLeft, refused, more } = useLoaderData<typeof loader>();
  const isOpen = send.endedAt === null;
  const isGoingOut = send.state === "sending" && !send.trouble && left > 0;
  return (
    <Page
      title={`${capitalised(sendWord(send.state))}: ${send.title}`}
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
      {send.trouble && send.state === "sending" && (
        <p className="notice wrong">Nothing goes out at the moment: {send.trouble}.</p>
      )}
      {send.pauseReason && (
        <p className="notice wrong">
          {send.state === "cancelled"
            ? `It was cancelled by itself: ${send.pauseReason}.`
            : `It paused itself: ${send.pauseReason}. Mend that, then resume.`}
        </p>
      )}
      <section>
        {total > 0 && (
          <p>
            <progress max={total} value={total - left} aria-label="Mails that are through" />{" "}
            {total - left} of {amount(total, "subscriber")}
            {isGoingOut && rate > 0 && `, ${rate.toFixed(1)} a second`}
            {isGoingOut && `, about ${Math.ceil(secondsLeft / 60)} min left`}
          </p>
        )}
        <dl className="facts">
          <dt>{send.begunAt ? "Began" : isOpen ? "Begins" : "Was to begin"}</dt>
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
          {!send.begunAt && isOpen && (
            <div className="pair">
              <dt>{number(send.toGo)}</dt>
              <dd>to go, as the list is now; the mail is made of the issue as it is then</dd>
            </div>
          )}
          {total > 0 &&
            outcomes
              .filter(([state]) => send.counts[state] > 0 || state === "accepted")
              .map(([state, words]) => (
                <div key={state} className="pair">
                  <dt>{number(send.counts[state])}</dt>
                  <dd>{words}</dd>
                </div>
              ))}
        </dl>
        {!send.begunAt && isOpen && (
          <Form method="post" className="row">
            <Field label="Another hour, in Toronto’s time">
              <input type="datetime-local" name="at" required />
            </Field>
            <Submit
              intent="move"
              sure={(fields) =>
                `Send it to ${amount(send.toGo, "subscriber")} on ${String(fields.get("at")).replace("T", " at ")}, Toronto’s time?`
              }
            >
              Change the hour
            </Submit>
          </Form>
        )}
      </section>
      {refused.length > 0 && (
        <section>
          <h2>Refused</h2>
          <p className="empty">In their mail servers’ words.</p>
          <ul className="ledger">
            {refused.map((row) => (
              <li key={row.id}>
                <b>{row.email ?? "erased"}</b>
                <p>{row.answer}</p>
              </li>
            ))}
          </ul>
          {more && <Link to={more}>More</Link>}
        </section>
      )}
    </Page>
  );
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
