import { Form, Link, redirect, useActionData, useLoaderData } from "react-router";
import { amount } from "#content/amounts.ts";
import { shortTorontoTime, torontoTime } from "#content/toronto-time.ts";
import { findDraft } from "#newsletter/drafts.ts";
import { countAudience } from "#newsletter/sends/begin-sends.ts";
import { describePlanRefusal } from "#operator/plan-words.ts";
import { cancelPlan, listPlans, planDraft } from "#operator/plans.ts";
import { deskOf, idOf, type PageArgs, readId } from "../desk-context.ts";
import { readHour } from "../plan-words.ts";
import { Act, type Answer, Field, Page, Submit } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db } = deskOf(args);
  const draft = await findDraft(db, idOf(args, "draft"));
  if (!draft) throw new Response(null, { status: 404 });
  if (draft.issue_id !== null) throw redirect(`/issues/${draft.issue_id}`);
  const [plan] = await listPlans(db, { draftId: draft.id });
  return {
    draftId: draft.id,
    title: draft.title || "Untitled",
    plan: plan && { ...plan, hour: torontoTime(plan.dueAt).replace(" ", "T") },
    confirmed: (await countAudience(db, 0)).confirmed,
  };
}

export async function action(args: PageArgs): Promise<Answer | Response> {
  const { db, config, now } = deskOf(args);
  const draftId = idOf(args, "draft");
  const form = await args.request.formData();
  switch (form.get("intent")) {
    case "plan": {
      const hour = readHour(String(form.get("at")));
      if (!hour.ok) return { ok: false, problems: [hour.problem] };
      const audience = form.get("send") === "yes" ? "all" : null;
      const request = { draftId, at: hour.moment, audience } as const;
      const planned = await planDraft({ db, config, now: now() }, request);
      if (!planned.ok) return { ok: false, problems: [describePlanRefusal(planned)] };
      const when = shortTorontoTime(planned.at.toISOString());
      const whom = amount(planned.recipients, "subscriber");
      const sent = audience ? `, and sent to ${whom} as the list is now` : "; nobody is mailed";
      return { ok: true, said: `It will be published on ${when}${sent}.` };
    }
    case "cancel": {
      const id = readId(form.get("plan"));
      if (id !== undefined) await cancelPlan(db, id);
      return redirect(`/issues/drafts/${draftId}`);
    }
    default:
      return { ok: false, problems: ["Nothing was done."] };
  }
}

export default function PlanPage() {
  const { draftId, title, plan, confirmed } = useLoaderData<typeof loader>();
  const whom = amount(confirmed, "confirmed subscriber");
  const answer = useActionData<Answer>();
  return (
    <Page
      title={`Publish at an hour: ${title}`}
      back={{ to: `/issues/drafts/${draftId}`, name: "The draft" }}
      actions={
        plan && (
          <Act
            intent="cancel"
            fields={{ plan: plan.id }}
            kind="danger"
            sure="Call it off? The draft stays."
          >
            Call it off
          </Act>
        )
      }
    >
      {plan && !answer?.ok && (
        <p className={plan.problem ? "notice wrong" : "notice"}>
          {plan.problem
            ? `Nothing was published or sent. ${plan.problem} Mend that, then choose another hour.`
            : `It will be published on ${shortTorontoTime(plan.dueAt)}${plan.audience ? `, and sent to ${whom} as the list is now` : "; nobody is mailed"}.`}
        </p>
      )}
      <section>
        <p>
          The site publishes the text that the <Link to={`/issues/drafts/${draftId}`}>draft</Link>{" "}
          has by then.
        </p>
        <Form method="post" className="stack">
          <Field label="Publish at, in Toronto’s time">
            <input type="datetime-local" name="at" required defaultValue={plan?.hour} />
          </Field>
          <Field label="By mail too">
            <select name="send" defaultValue={plan?.audience ? "yes" : "no"}>
              <option value="no">Nobody is mailed</option>
              <option value="yes">Send it to {whom}</option>
            </select>
          </Field>
          <Submit
            intent="plan"
            kind="main"
            sure={(fields) => {
              const when = String(fields.get("at")).replace("T", " at ");
              const sent = fields.get("send") === "yes" ? `, and send it to ${whom}` : "";
              return `Publish “${title}” on ${when}, Toronto’s time${sent}? It can be changed or called off until then.`;
            }}
          >
            {plan ? "Change the plan" : "Plan it"}
          </Submit>
        </Form>
      </section>
    </Page>
  );
}
