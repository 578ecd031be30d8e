import { Form, Link, useActionData } from "react-router";
import type { ListedSetting, OwnersSetting } from "#settings/owner-settings.ts";
import { type Answer, Field, Notice, Submit } from "../ui.tsx";

type Group = { title: string; about?: string; names: OwnersSetting[] };

const groups = [
  {
    title: "The firm",
    about: "These are in pages, mails and what search engines read.",
    names: [
      ...(["SITE_NAME", "SITE_EMAIL", "SITE_PHONE", "SITE_STREET"] as const),
      ...(["SITE_POSTAL_CODE", "SITE_PROFILE_URL"] as const),
    ],
  },
  {
    title: "Look",
    about: "The usual colour is #1f4fd8. Another must be dark enough to read on light paper.",
    names: ["SITE_COLOUR", "SITE_LOGO"],
  },
  { title: "Booking", names: ["SCHEDULING_URL", "SCHEDULING_CONTACT_URL"] },
  {
    title: "Mail",
    names: ["SMTP_URL", "SMTP_DAILY_LIMIT", "MAIL_FROM", "MAIL_FROM_NEWSLETTER", "CONTACT_TO"],
  },
  {
    title: "Backups",
    about: "With 0 days none is made, and none is deleted.",
    names: ["BACKUP_DAYS"],
  },
] as const satisfies Group[];

/** The firm's own address is taken where one is empty. */
const seldomSet: OwnersSetting[] = ["MAIL_FROM", "MAIL_FROM_NEWSLETTER", "CONTACT_TO"];

export type SettingsAnswer = Answer & { group?: string };

type OwnersSettingsProps = { settings: ListedSetting[]; version: string; logo: string | null };

/** The owner's settings, a form a group, so that a mistake in one keeps nobody from saving another. */
export function OwnersSettings({ settings, version, logo }: OwnersSettingsProps) {
  const answer = useActionData() as SettingsAnswer | undefined;
  return groups.map(({ title, names, ...group }) => {
    const shown = names.flatMap((name) => settings.filter((setting) => setting.name === name));
    const [seldom, often] = [true, false].map((isSeldom) =>
      shown
        .filter(({ name }) => seldomSet.includes(name) === isSeldom)
        .map((setting) => <Setting key={setting.name} setting={setting} logo={logo} />),
    );
    return (
      <section key={title}>
        <h2>{title}</h2>
        {"about" in group && <p>{group.about}</p>}
        {title === "Backups" && (
          <p>
            <Link to="/backups">Backups</Link>: each night’s, to download and to restore.
          </p>
        )}
        <Notice answer={answer?.group === title ? answer : undefined} />
        {/* Filled in again after a change of its own settings, and not while somebody types. */}
        <Form
          method="post"
          encType="multipart/form-data"
          className="settings-form"
          key={shown.map(({ changedAt }) => changedAt).join()}
        >
          <input type="hidden" name="basedOn" value={version} />
          <input type="hidden" name="group" value={title} />
          {often}
          {seldom?.length ? (
            <details>
              <summary>More: the addresses of your mail</summary>
              <div className="stack">
                <p>Where one is empty, the firm’s own is taken.</p>
                {seldom}
              </div>
            </details>
          ) : null}
          {shown.some(({ isFixed }) => !isFixed) && (
            <Submit intent="save" kind="main">
              {`Save “${title}”`}
            </Submit>
          )}
        </Form>
      </section>
    );
  });
}

const types: Partial<Record<OwnersSetting, string>> = {
  SITE_EMAIL: "email",
  SITE_PHONE: "tel",
  SITE_PROFILE_URL: "url",
  SITE_COLOUR: "color",
  SCHEDULING_URL: "url",
  SCHEDULING_CONTACT_URL: "url",
  MAIL_FROM: "email",
  MAIL_FROM_NEWSLETTER: "email",
  CONTACT_TO: "email",
};

function Setting({ setting, logo }: { setting: ListedSetting; logo: string | null }) {
  const { name, label, value, usual, isFixed } = setting;
  if (isFixed) {
    return (
      <Field
        label={label}
        help={`Set where the site runs, as ${name}, and can be changed there alone.`}
      >
        <input disabled value={name === "SITE_LOGO" ? "a file" : (value ?? "set; not shown")} />
      </Field>
    );
  }
  if (name === "SITE_LOGO") return <Logo logo={logo} />;
  if (name === "SMTP_URL") return <MailServer isSet={value === null} />;
  return (
    <Field label={label}>
      <input
        name={name}
        type={types[name] ?? "text"}
        inputMode={name === "SMTP_DAILY_LIMIT" ? "numeric" : undefined}
        defaultValue={value || (name === "SITE_COLOUR" ? usual : "")}
        placeholder={usual}
      />
    </Field>
  );
}

function Logo({ logo }: { logo: string | null }) {
  return (
    <>
      {logo && (
        <div className="row">
          <img src={logo} alt="The logo now" width={64} height={64} />
          <label className="check">
            <input type="checkbox" name="SITE_LOGO.none" />
            Without it
          </label>
        </div>
      )}
      <Field
        label={logo ? "Another logo" : "Logo"}
        help="A square PNG or SVG of at most 200 KB. Phones’ home screens need a PNG."
      >
        <input type="file" name="SITE_LOGO" accept="image/png,image/svg+xml" />
      </Field>
    </>
  );
}

function MailServer({ isSet }: { isSet: boolean }) {
  return (
    <details>
      <summary>
        {isSet
          ? "Mail leaves by a server that is set. Change it"
          : "No mail server is set: mail is written to files. Set one"}
      </summary>
      <div className="stack">
        <Field label="Server" help="For example smtp.gmail.com; your provider’s help names it.">
          <input name="smtp.host" autoComplete="off" />
        </Field>
        <Field label="Port" help="465, or 587 if your provider says so.">
          <input name="smtp.port" inputMode="numeric" defaultValue="465" />
        </Field>
        <Field label="User">
          <input name="smtp.user" autoComplete="off" />
        </Field>
        <Field
          label="Password"
          help="Often one made for this, an app password. It is never shown again."
        >
          <input name="smtp.password" type="password" autoComplete="new-password" />
        </Field>
        {isSet && (
          <label className="check">
            <input type="checkbox" name="smtp.none" />
            Send no mail any more
          </label>
        )}
      </div>
    </details>
  );
}

export async function changesOf(form: FormData): Promise<Record<string, string>> {
  const field = (name: string) => String(form.get(name) ?? "").trim();
  const changes: Record<string, string> = {};
  const group = groups.find(({ title }) => title === form.get("group"));
  for (const name of group?.names ?? []) {
    const given = form.get(name);
    if (typeof given === "string") changes[name] = given;
    if (given instanceof File && given.size > 0) {
      const bytes = Buffer.from(await given.arrayBuffer()).toString("base64");
      changes[name] = `data:${given.type || "image/png"};base64,${bytes}`;
    }
  }
  if (form.has("SITE_LOGO.none")) changes.SITE_LOGO = "";
  if (form.has("smtp.none")) changes.SMTP_URL = "";
  else if (field("smtp.host") !== "") {
    const [user, password] = [field("smtp.user"), field("smtp.password")].map(encodeURIComponent);
    const port = field("smtp.port") || "465";
    const scheme = port === "465" ? "smtps" : "smtp";
    changes.SMTP_URL = `${scheme}://${user ? `${user}:${password}@` : ""}${field("smtp.host")}:${port}`;
  }
  return changes;
}

export function WordsElsewhere() {
  return (
    <p>
      The hours, the newsletter’s name and plan, prices and team are{" "}
      <Link to="/words">the site’s words</Link>. Everything else is set where the site runs.
    </p>
  );
}
