import { mkdir, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { Form, useLoaderData } from "react-router";
import { backUp } from "#operator/backup.ts";
import { examine } from "#operator/examine/examine.ts";
import { sendTestMail } from "#operator/send-test-mail.ts";
import { type Declaration, declarations, settingNames } from "#settings/setting-declarations.ts";
import type { Config } from "#settings/settings.ts";
import { type Desk, deskContext, type PageArgs } from "../desk-context.ts";
import { Act, type Answer, Field, Findings, Page, Submit, When } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

const aboutMail = ["Mail", "SPF", "DKIM", "DMARC", "Reverse name", "Bounce mailbox"];

export async function loader({ context }: PageArgs) {
  const desk = context.get(deskContext);
  const { environment, config, store } = desk;
  // Comes after the page, since it looks at DNS and the mail server.
  const mailFindings = examine(desk, desk.now()).then((found) =>
    found.filter(({ about }) => aboutMail.includes(about)),
  );
  return {
    location: store?.location ?? null,
    keepsFiles: store?.kind === "sqlite",
    lastBackup: await lastBackup(config),
    mailsTo: config.contactTo,
    isMailed: config.smtpUrl !== null,
    mailFindings,
    rows: settingNames.map((name) => {
      const { about, secret, default: preset, unset, without } = declarations[name] as Declaration;
      const value = environment[name] || null;
      const shown = secret && value ? "set; not shown here" : value;
      const instead = preset ?? unset ?? without ?? "nothing";
      return { name, about: unquoted(about), value: shown, instead: unquoted(instead) };
    }),
  };
}

export async function action({ context, request }: PageArgs): Promise<Answer> {
  const desk = context.get(deskContext);
  const form = await request.formData();
  switch (form.get("intent")) {
    case "back up":
      return await makeBackup(desk);
    case "test": {
      const address = String(form.get("address")).trim();
      const sent = await sendTestMail(desk, { address, now: desk.now() });
      if (!sent.ok) return refusal(`The mail server didn't take it: ${sent.why}`);
      const said = sent.folder
        ? `Written to a file in ${sent.folder}, since SMTP_URL is not set.`
        : `Handed to the mail server for ${address}. Look there, and in the folder for spam.`;
      return { ok: true, said };
    }
    default:
      return refusal("Nothing was done.");
  }
}

/** Without the marks that Markdown has around a name. */
function unquoted(words: string): string {
  return words.replaceAll("`", "");
}

async function makeBackup({ config, now }: Desk): Promise<Answer> {
  const folder = backupFolder(config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const target = path.join(
    folder,
    `${now().toISOString().slice(0, 19).replaceAll(":", "-")}.sqlite`,
  );
  const made = await backUp(config, { target });
  if (made.ok) return { ok: true, said: `The backup is ${target}, and was checked.` };
  return refusal(
    made.reason === "failed"
      ? `The backup could not be made: ${made.why}`
      : `No backup can be made at ${target}: try again in a second.`,
  );
}

function refusal(problem: string): Answer {
  return { ok: false, problems: [problem] };
}

function backupFolder({ dataDir }: Config): string {
  return path.join(dataDir, "backups");
}

async function lastBackup(config: Config): Promise<string | null> {
  const folder = backupFolder(config);
  const [last] = (await readdir(folder).catch(() => [])).toSorted().reverse();
  return last ? (await stat(path.join(folder, last))).mtime.toISOString() : null;
}

export default function Settings() {
  const { rows, location, keepsFiles, lastBackup, mailsTo, isMailed, mailFindings } =
    useLoaderData<typeof loader>();
  return (
    <Page title="Settings">
      <section>
        <h2>Mail</h2>
        {location === null ? (
          <p>The hosted project sends every mail, with the secrets that are set there.</p>
        ) : (
          <>
            <Findings findings={mailFindings} hasStates />
            <Form method="post" className="row">
              <Field label="Send a test mail to">
                <input
                  type="email"
                  name="address"
                  required
                  defaultValue={isMailed ? mailsTo : ""}
                />
              </Field>
              <Submit intent="test">Send it</Submit>
            </Form>
          </>
        )}
      </section>
      {location && (
        <section>
          <h2>Backup</h2>
          {keepsFiles ? (
            <>
              <p>
                Everything is in {location}. Copy each backup to another machine too. The last one
                made here: {lastBackup ? <When at={lastBackup} /> : "none yet"}
              </p>
              <Act intent="back up">Back up now</Act>
            </>
          ) : (
            <p>Everything is in PostgreSQL ({location}); its own pg_dump backs it up.</p>
          )}
        </section>
      )}
      <section>
        <h2>What is set</h2>
        <p>Settings are lines of the file .env; the site reads them when it starts.</p>
        <dl className="facts settings">
          {rows.map(({ name, about, value, instead }) => (
            <div key={name}>
              <dt>
                {name}
                <small>{about}</small>
              </dt>
              <dd>{value ?? <span className="unset">not set: {instead}</span>}</dd>
            </div>
          ))}
        </dl>
      </section>
    </Page>
  );
}
