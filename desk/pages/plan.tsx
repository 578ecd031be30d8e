import { useState } from "react";
import { Form, redirect, useActionData, useLoaderData } from "react-router";
import { amount } from "#content/amounts.ts";
import { shortTorontoTime, torontoTime } from "#content/toronto-time.ts";
import { findDraft } from "#newsletter/issues/drafts.ts";
import { describePlanRefusal } from "#newsletter/issues/plan-words.ts";
import { cancelPlan, listPlans, planDraft, publishNow } from "#newsletter/issues/plans.ts";
import { settingsMissingToSend } from "#newsletter/sends/send-issue.ts";
import { countAudience } from "#newsletter/sends/sends.ts";
import { deskOf, idOf, type PageArgs, readId } from "../desk-context.ts";
import { missingWords } from "../missing-words.ts";
import { readHour } from "../plan-words.ts";
import { judge } from "../save-draft-form.ts";
import { Act, type Answer, Field, Page, Submit } from "../ui.tsx";
import { Checks } from "./editor-parts.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const desk = deskOf(args);
  const { db, config } = desk;
  const draft = await findDraft(db, idOf(args, "draft"));
  if (!draft) throw new Response(null, { status: 404 });
  const { issue, problems, notes } = await judge(desk, draft);
  if (issue) throw redirect(`/issues/${issue.id}`);
  const [plan] = await listPlans(db, { draftIds: [draft.id] });
  return {
    draftId: draft.id,
    version: draft.version,
    title: draft.title || "Untitled",
    checks: { problems, notes },
    plan: plan && { ...plan, hour: torontoTime(plan.dueAt).replace(" ", "T") },
    confirmed: (await countAudience(db, 0)).confirmed,
    missing: settingsMissingToSend(config).map(missingWords),
  };
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const { db, config, now } = deskOf(args);
  const site = { db, config, now: now() };
  const draftId = idOf(args, "draft");
  const form = await args.request.formData();
  const intent = form.get("intent");
  if (intent === "cancel") {
    const id = readId(form.get("plan"));
    if (id !== undefined) await cancelPlan(db, id);
    return redirect(`/issues/drafts/${draftId}`);
  }
  if (intent !== "publish") return { ok: false, problems: ["Nothing was done."] };
  const audience = form.get("send") === "yes" ? "all" : null;
  if (form.get("when") === "hour") {
    const hour = readHour(String(form.get("at")));
    if (!hour.ok) return { ok: false, problems: [hour.problem] };
    const planned = await planDraft(site, { draftId, at: hour.moment, audience });
    if (!planned.ok) return { ok: false, problems: [describePlanRefusal(planned)] };
    return { ok: true, said: planWords({ at: planned.at, audience, to: planned.recipients }) };
  }
  const version = readId(form.get("version")) ?? 0;
  const done = await publishNow(site, { id: draftId, version, audience });
  if (done.ok) return redirect(done.sendId ? `/sends/${done.sendId}` : `/issues/${done.issueId}`);
  return { ok: false, problems: [describePlanRefusal(done)] };
}

function planWords({ at, audience, to }: { at: Date; audience: string | null; to: number }) {
  const sent = `, and sent to ${amount(to, "subscriber")} as the list is now`;
  return `It will be published on ${shortTorontoTime(at.toISOString())}${audience ? sent : "; nobody is mailed"}.`;
}

export default function PublishPage() {
  const { draftId, version, title, plan, confirmed, checks, missing } =
    useLoaderData<typeof loader>();
  const answer = useActionData<Answer>();
  const [when, setWhen] = useState(plan ? "hour" : "now");
  const [send, setSend] = useState(plan?.audience ? "yes" : "no");
  const whom = amount(confirmed, "subscriber");
  const canSend = confirmed > 0 && missing.length === 0;
  const words =
    when === "hour"
      ? plan
        ? "Change the plan"
        : "Plan it"
      : send === "yes"
        ? `Publish and send to ${whom}`
        : "Publish";
  return (
    <Page
      title={`Publish: ${title}`}
      back={{ to: `/issues/drafts/${draftId}`, name: "The draft" }}
      hasBeside
      actions={
        plan && (
          <Act intent="cancel" fields={{ plan: plan.id }} kind="danger">
            Call it off
          </Act>
        )
      }
    >
      {plan && !answer?.ok && (
        <p className={plan.problem ? "notice wrong" : "notice"}>
          {plan.problem
            ? `Nothing was published or sent. ${plan.problem} Mend that, then choose another hour.`
            : planWords({ at: new Date(plan.dueAt), audience: plan.audience, to: confirmed })}
        </p>
      )}
      <Form method="post" className="stack">
        <input type="hidden" name="version" value={version} />
        <fieldset className="choice">
          <legend>On the site</legend>
          <Choice name="when" value="now" chosen={when} onChoose={setWhen}>
            Now
          </Choice>
          <Choice name="when" value="hour" chosen={when} onChoose={setWhen}>
            At an hour, with the text that the draft has by then
          </Choice>
          {when === "hour" && (
            <Field label="Day and hour, in Toronto’s time">
              <input type="datetime-local" name="at" required defaultValue={plan?.hour} />
            </Field>
          )}
        </fieldset>
        <fieldset className="choice">
          <legend>By mail</legend>
          <Choice name="send" value="no" chosen={send} onChoose={setSend}>
            To nobody for now. It can be sent later.
          </Choice>
          <Choice name="send" value="yes" chosen={send} onChoose={setSend} isOff={!canSend}>
            To {whom}, {when === "hour" ? "at that hour" : "at once"}
          </Choice>
          {missing.map((sentence) => (
            <small key={sentence}>{sentence}</small>
          ))}
          {confirmed === 0 && <small>Nobody has confirmed a subscription yet.</small>}
        </fieldset>
        <Submit
          intent="publish"
          kind="main"
          sure={
            when === "now" && send === "yes"
              ? `Publish “${title}” now, and send it to ${whom}? A send can be paused, not called back.`
              : undefined
          }
        >
          {words}
        </Submit>
      </Form>
      <Checks {...checks} className="beside" />
    </Page>
  );
}

type ChoiceProps = {
  name: string;
  value: string;
  chosen: string;
  onChoose: (value: string) => void;
  isOff?: boolean;
  children: React.ReactNode;
};

function Choice({ name, value, chosen, onChoose, isOff = false, children }: ChoiceProps) {
  return (
    <label>
      <input
        type="radio"
        {...{ name, value, disabled: isOff, checked: chosen === value }}
        onChange={() => onChoose(value)}
      />{" "}
      {children}
    </label>
  );
}
