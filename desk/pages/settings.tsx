import { Form, useActionData, useLoaderData } from "react-router";
import { sendTestMail } from "#newsletter/sends/send-issue.ts";
import { examine } from "#server/health/examine.ts";
import { listOwnersSettings, saveOwnersSettings } from "#settings/owner-settings.ts";
import { type Desk, deskContext, type PageArgs } from "../desk-context.ts";
import { useAskBeforeLeavingForms } from "../leaving.ts";
import { noMailServer } from "../plan-words.ts";
import { type Answer, Field, Findings, Page, Submit } from "../ui.tsx";
import {
  changesOf,
  OwnersSettings,
  type SettingsAnswer,
  WordsElsewhere,
} from "./settings-form.tsx";

export { clientAction } from "../ui.tsx";

const aboutMail = ["Mail", "SPF", "DKIM", "DMARC", "Reverse name", "Bounce mailbox"];

export async function loader({ context }: PageArgs) {
  const desk = context.get(deskContext);
  const { environment, config, store, settings } = desk;
  const mailFindings = examine(desk, desk.now()).then((found) =>
    found.filter(({ about }) => aboutMail.includes(about)),
  );
  return {
    mailsTo: config.contactTo,
    isMailed: config.smtpUrl !== null,
    mailFindings,
    owners: await listOwnersSettings(store.db, environment),
    logo: settings.logo ?? null,
  };
}

export async function action({ context, request }: PageArgs): Promise<SettingsAnswer> {
  const desk = context.get(deskContext);
  const form = await request.formData();
  switch (form.get("intent")) {
    case "save":
      return { ...(await saveGroup(desk, form)), group: String(form.get("group")) };
    case "test": {
      const address = String(form.get("address")).trim();
      const sent = await sendTestMail(desk, { address, now: desk.now() });
      if (!sent.ok) return refusal(`The mail server didn't take it: ${sent.words}`);
      if (sent.folder) return refusal(`${noMailServer} Name it above, under Mail.`);
      const said = `Handed to the mail server for ${address}. Look there, and in the folder for spam.`;
      return { ok: true, said };
    }
    default:
      return refusal("Nothing was done.");
  }
}

async function saveGroup(desk: Desk, form: FormData): Promise<Answer> {
  const { store, environment, now, lookAtSettings } = desk;
  const saved = await saveOwnersSettings(store.db, environment, {
    changes: await changesOf(form),
    basedOn: String(form.get("basedOn")),
    now: now(),
  });
  if (!saved.ok) {
    if (saved.reason === "invalid") return { ok: false, problems: saved.problems };
    return refusal("Another window has changed the settings since. Load this page again first.");
  }
  await lookAtSettings();
  return { ok: true, said: "Saved. The running site has it within two seconds." };
}

function refusal(problem: string): Answer {
  return { ok: false, problems: [problem] };
}

export default function Settings() {
  useAskBeforeLeavingForms();
  const answer = useActionData() as SettingsAnswer | undefined;
  const { owners, logo, mailsTo, isMailed, mailFindings } = useLoaderData<typeof loader>();
  return (
    <Page title="Settings" isAnswerOld={answer?.group !== undefined}>
      <OwnersSettings {...owners} logo={logo} />
      <WordsElsewhere />
      <section>
        <h2>Does mail work?</h2>
        <Findings findings={mailFindings} hasStates />
        <Form method="post" className="row">
          <Field label="Send a test mail to">
            <input type="email" name="address" required defaultValue={isMailed ? mailsTo : ""} />
          </Field>
          <Submit intent="test">Send it</Submit>
        </Form>
      </section>
    </Page>
  );
}
