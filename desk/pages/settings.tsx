import { Form, Link, useActionData, useLoaderData } from "react-router";
import { withoutUnseen } from "#content/text.ts";
import {
  type MailServer,
  mailServerOf,
  readMailServer,
  serverFields,
  tryMailServer,
} from "#mail/mail-server.ts";
import { sendTestMail } from "#newsletter/sends/trials.ts";
import {
  type ListedSetting,
  labelOf,
  listOwnersSettings,
  saveOwnersSettings,
} from "#settings/owner-settings.ts";
import { deskOf, ownMailbox, type PageArgs } from "../desk-context.ts";
import { useAskBeforeLeavingForms } from "../leaving.ts";
import { type Answer, Field, LaterFindings, Page, SaveBar, Submit } from "../ui.tsx";
import { SquarePicture } from "./square-picture.tsx";

export { clientAction, shouldRevalidate } from "../ui.tsx";

const aboutMail = ["Mail", "SPF", "DKIM", "DMARC", "Bounce mailbox"];

type ShownSetting = Omit<ListedSetting, "name" | "input"> & { name: string; input?: string };

export async function loader(args: PageArgs) {
  const desk = deskOf(args);
  const { db, environment, config, settings } = desk;
  const findings = desk
    .lookAround(desk, desk.now)
    .then((found) =>
      found.filter(({ about, to }) => aboutMail.includes(about) || to === "/settings"),
    );
  const owners = await listOwnersSettings(db, environment);
  const shown = owners.settings.flatMap((setting): ShownSetting[] =>
    setting.name === "SMTP_URL" ? mailServerFields(setting, config.smtpUrl) : [setting],
  );
  const bySection = Object.groupBy(shown, ({ section }) => section);
  const names = Object.keys(bySection);
  const asked = new URL(args.request.url).search;
  const title = names.find((name) => toSection(name) === asked) ?? names[0] ?? "";
  return {
    findings,
    version: owners.version,
    sections: names.map((name) => ({ to: toSection(name), name, current: name === title })),
    ...{ title, section: bySection[title] ?? [] },
    logo: settings.logo ?? null,
    testTo: config.smtpUrl === null ? "" : ownMailbox(config),
  };
}

const serverParts = Object.keys(serverFields) as (keyof MailServer)[];

function mailServerFields(setting: ListedSetting, smtpUrl: string | null): ShownSetting[] {
  const none: MailServer = { host: "", port: "465", user: "", password: "" };
  const server = smtpUrl === null ? none : mailServerOf(smtpUrl);
  if (setting.isFixed) {
    return [{ ...setting, value: [server.user, server.host].filter(Boolean).join(" at ") }];
  }
  return serverParts.map((part) => ({
    ...setting,
    ...serverFields[part],
    name: `SMTP_URL.${part}`,
    input: { host: "text", port: "number", user: "text", password: "password" }[part],
    ...(part === "password"
      ? { value: "", ...(server.user && { help: "It is set, and stays while this is empty." }) }
      : { value: server[part] }),
  }));
}

type SettingsAnswer = Answer & {
  mistakes?: Record<string, string>;
  page?: string | null;
  isUntried?: true;
};

export async function action(args: PageArgs): Promise<SettingsAnswer> {
  const desk = deskOf(args);
  const form = await args.request.formData();
  if (form.get("intent")) return await save(desk, form);
  const address = String(form.get("address")).trim();
  const sent = await sendTestMail(desk, address);
  if (!sent.ok) return sent;
  const said = `Handed to the mail server for ${address}. Look there, and in the folder for spam.`;
  return { ok: true, said };
}

async function save(desk: ReturnType<typeof deskOf>, form: FormData): Promise<SettingsAnswer> {
  const { db, environment, config, now, lookAtSettings } = desk;
  const changes: Record<string, string> = {};
  for (const [name, value] of form) {
    if (typeof value === "string" && !name.includes(".")) changes[name] = clean(value);
  }
  // Its field holds a new one alone.
  if (form.has("SITE_LOGO.none")) changes.SITE_LOGO = "";
  else if (!changes.SITE_LOGO) delete changes.SITE_LOGO;
  const part = (name: keyof MailServer) => clean(String(form.get(`SMTP_URL.${name}`) ?? ""));
  const given = Object.fromEntries(serverParts.map((name) => [name, part(name)])) as MailServer;
  if (given.host) {
    const read = readMailServer(given, config.smtpUrl);
    if (!read.ok) return mistakesAt([{ name: `SMTP_URL.${read.field}`, problem: read.problem }]);
    if (read.smtpUrl !== config.smtpUrl) changes.SMTP_URL = read.smtpUrl;
  } else if (given.user || given.password) {
    return mistakesAt([{ name: "SMTP_URL.host", problem: "is needed" }]);
  } else if (form.has("SMTP_URL.host") && config.smtpUrl) changes.SMTP_URL = "";
  if (changes.SMTP_URL && form.get("intent") !== "save untried") {
    const tried = await tryMailServer(changes.SMTP_URL, desk.settings.url);
    if (!tried.ok) {
      const problem = `${tried.problem} Nothing was saved.`;
      return { ok: false, problem, page: tried.page, isUntried: true };
    }
  }
  const basedOn = String(form.get("basedOn"));
  const saved = await saveOwnersSettings(db, environment, { changes, basedOn, now });
  if (!saved.ok) {
    if (saved.mistakes.length > 0) return mistakesAt(saved.mistakes);
    const problem = "Another window has changed the settings since. Load this page again first.";
    return { ok: false, problem };
  }
  await lookAtSettings();
  const said = changes.SMTP_URL ? "Saved and tried." : "Saved.";
  return { ok: true, said: `${said} The running site has it within two seconds.`, isInBar: true };
}

/** Pasted text brings blanks along, and signs that nobody sees. */
function clean(text: string): string {
  return withoutUnseen(text).trim();
}

function mistakesAt(mistakes: { name: string; problem: string }[]): SettingsAnswer {
  const label = (name: string) =>
    serverFields[name.replace("SMTP_URL.", "") as keyof MailServer]?.label ?? labelOf(name);
  return {
    ok: false,
    problem: mistakes.map(({ name, problem }) => `“${label(name)}” ${problem}.`).join(" "),
    mistakes: Object.fromEntries(mistakes.map(({ name, problem }) => [name, problem])),
  };
}

export default function Settings() {
  useAskBeforeLeavingForms();
  const answer = useActionData() as SettingsAnswer | undefined;
  const { sections, title, section, version, testTo, findings } = useLoaderData<typeof loader>();
  const [often = [], rare = []] = [undefined, true].map((isRare) =>
    section
      .filter((setting) => setting.isRare === isRare)
      .map((setting) => <Setting key={setting.name} setting={setting} />),
  );
  return (
    <Page title="Settings">
      <div className="settings">
        <nav className="filters" aria-label="Sections">
          {sections.map(({ to, name, current }) => (
            <Link key={to} to={to} aria-current={current || undefined}>
              {name}
            </Link>
          ))}
        </nav>
        <Form method="post" className="stack" key={title + version}>
          <input type="hidden" name="basedOn" value={version} />
          <section>
            <h2>{title}</h2>
            {often}
            {title === "Mail" && (
              <>
                <LaterFindings findings={findings} hasNames />
                <div className="row">
                  <Field label="Send a test mail to">
                    <input form="test" type="email" name="address" required defaultValue={testTo} />
                  </Field>
                  <button form="test" type="submit" className="button">
                    Send it
                  </button>
                </div>
              </>
            )}
            {rare.length > 0 && (
              <details>
                <summary>More</summary>
                <div className="stack">{rare}</div>
              </details>
            )}
            {title === "Backups" && (
              <Link to="/backups">Each night’s backup, to download and restore</Link>
            )}
          </section>
          <SaveBar>
            {answer?.page && <a href={answer.page}>What the provider says</a>}
            {answer?.isUntried && <Submit intent="save untried" deed="Save it all the same" />}
          </SaveBar>
        </Form>
        {/* Of its own, so that Enter in a setting saves. */}
        <Form method="post" id="test" />
      </div>
    </Page>
  );
}

function toSection(title: string): string {
  return `?show=${title.toLowerCase().replaceAll(" ", "-")}`;
}

function Setting({ setting }: { setting: ShownSetting }) {
  const { name, label, input, value, usual, isSet, help } = setting;
  const answer = useActionData() as SettingsAnswer | undefined;
  const { logo } = useLoaderData<typeof loader>();
  const mistake = answer?.mistakes?.[name];
  if (setting.isFixed) {
    return (
      <p className="field fixed">
        <small>Set on the server, and changed there:</small> <span>{label}</span> {value || "Set"}
      </p>
    );
  }
  if (input === "logo") {
    return <SquarePicture {...{ name, label, help, shown: isSet ? logo : null }} kind="drawing" />;
  }
  const type =
    input && ["email", "tel", "url", "color", "password"].includes(input) ? input : "text";
  return (
    <Field label={label} help={help}>
      {input === "yes or no" ? (
        <select name={name} defaultValue={value || usual}>
          <option value="yes">Yes</option>
          <option value="no">No</option>
        </select>
      ) : (
        <input
          {...{ name, type, defaultValue: value, placeholder: usual }}
          inputMode={input === "number" ? "numeric" : undefined}
          autoComplete={type === "password" ? "new-password" : "off"}
        />
      )}
      {mistake && <strong className="mistake">It {mistake}.</strong>}
    </Field>
  );
}
