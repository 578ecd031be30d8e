import { Form, Link, useLoaderData } from "react-router";
import { amount, number } from "#content/amounts.ts";
import { dayAhead, readHour, torontoDate, torontoTime } from "#content/toronto-time.ts";
import { isDayOver, listRefusals } from "#newsletter/sends/recipients.ts";
import { findSend, sendWords, steerSend } from "#newsletter/sends/sends.ts";
import { deskOf, idOf, type PageArgs, readId } from "../desk-context.ts";
import { sendMark } from "../issue-rows.ts";
import { Act, type Answer, Field, Figures, LookAgain, nothingDone, Page, Submit } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

const pageRows = 1_000;

export async function loader(args: PageArgs) {
  const { db, config, now } = deskOf(args);
  const id = idOf(args);
  const send = await findSend(db, id);
  if (!send) throw new Response(null, { status: 404 });
  const afterId = readId(new URL(args.request.url).searchParams.get("after")) ?? 0;
  const refused = await listRefusals(db, { sendId: id, afterId, limit: pageRows });
  const ids = refused.flatMap(([, rows]) => rows.map((row) => row.id));
  const left = send.begunAt ? send.toGo : 0;
  const isWaiting = await isDayOver(db, config.smtpDailyLimit, now);
  const isStuck = send.state === "sending" && send.trouble !== null && !isWaiting;
  return {
    send,
    alarm: isStuck || send.pauseReason ? send.words : null,
    left,
    minutesLeft: Math.ceil(left / config.smtpRate / 60),
    beginsAt: torontoTime(send.beginsAt).replace(" ", "T"),
    today: torontoDate(now),
    refused,
    more: ids.length === pageRows ? `?after=${Math.max(...ids)}` : null,
  };
}

export async function action(args: PageArgs): Promise<Answer> {
  const desk = deskOf(args);
  const form = await args.request.formData();
  const deed = form.get("intent");
  if (deed === "pause" || deed === "resume" || deed === "cancel")
    return await steerSend(desk, idOf(args), { deed });
  if (deed !== "move") return nothingDone;
  const hour = readHour(String(form.get("at")) || "none");
  if (!hour.ok) return hour;
  const at = hour.at ?? desk.now;
  return await steerSend(desk, idOf(args), { deed, at, goOn: form.has("goOn") });
}

export default function Send() {
  const { send, alarm, left, minutesLeft, beginsAt, today, refused, more } =
    useLoaderData<typeof loader>();
  const isOpen = send.endedAt === null;
  const isPaused = send.state === "paused";
  const isToBegin = isOpen && !send.begunAt;
  const isGoingOut = send.state === "sending" && !send.trouble && left > 0;
  const { accepted, refused: refusals, withdrawn } = send.counts;
  const rest = { ...(isOpen && { waiting: send.toGo }), "not mailed": withdrawn };
  const total = Object.values(send.counts).reduce((sum, count) => sum + count);
  const whole = `0 0 ${total} 1`;
  const figures = isToBegin
    ? { "subscribers, as the list is now": send.toGo }
    : { delivered: accepted, refused: refusals, ...rest };
  return (
    <Page
      title={send.title}
      back={{ to: `/issues/${send.issueId}`, name: "The issue" }}
      actions={
        isOpen ? (
          <>
            {isPaused && <Act intent="resume" kind="main" deed="Resume" />}
            {!isPaused && <Act intent="pause" deed="Pause" />}
            <Act
              intent="cancel"
              kind="danger"
              sure="Stop it? Whoever has not been mailed gets nothing."
              deed="Stop this send…"
            />
          </>
        ) : (
          withdrawn > 0 && (
            <Link className="button main" to={`/issues/${send.issueId}`}>
              Send to the other {number(withdrawn)}
            </Link>
          )
        )
      }
    >
      {isOpen && <LookAgain everyMs={2_000} />}
      <section className="sent">
        <h2 className={`state ${sendMark(send)}`}>{alarm ? sendWords[send.state] : send.words}</h2>
        {alarm && (
          <div className="notice wrong">
            <p>
              {alarm}. {isOpen && <Link to="/settings?show=mail">See how mail is set</Link>}
              {isPaused && ", mend that, then resume."}
              {send.state === "sending" && ". It is tried again by itself."}
            </p>
          </div>
        )}
        {total > 0 && (
          <svg aria-hidden className="through" viewBox={whole} preserveAspectRatio="none">
            <rect width={accepted} height="1" />
            <rect x={accepted} width={refusals} height="1" className="mistake" />
          </svg>
        )}
        {(isToBegin || total > 0) && <Figures of={figures} />}
        <p className="about">
          <span>{isToBegin ? "Corrections until then are included." : send.times}</span>
          {isGoingOut && <span>About {minutesLeft} min left</span>}
        </p>
        {isToBegin && (
          <Form method="post" className="row">
            {isPaused && <input type="hidden" name="goOn" value="yes" />}
            <Field label="Another hour, in Toronto’s time">
              <input type="datetime-local" name="at" required defaultValue={beginsAt} />
            </Field>
            <Submit
              intent="move"
              sure={(fields) => {
                const [day = "", hour] = String(fields.get("at")).split("T");
                return `Send it to ${amount(send.toGo, "subscriber")} ${dayAhead(day, today)} at ${hour}, Toronto’s time?`;
              }}
              deed={isPaused ? "Go on at this hour" : "Change the hour"}
            />
          </Form>
        )}
      </section>
      {refused.length > 0 && (
        <section className="sent">
          <h2>Refused for good</h2>
          {refused.map(([why, rows]) => (
            <details key={why}>
              <summary>
                {amount(rows.length, "address", "addresses")} {why}
              </summary>
              <p className="about">One of their servers’ words: “{rows[0]?.answer}”</p>
              <ul>
                {rows.map(({ id, email }) => (
                  <li key={id}>{email ?? "erased"}</li>
                ))}
              </ul>
            </details>
          ))}
          {more && <Link to={more}>More</Link>}
        </section>
      )}
    </Page>
  );
}
