import { useState } from "react";
import { Link, useLoaderData, useRevalidator } from "react-router";
import { formatBytes } from "#content/amounts.ts";
import { shortTorontoTime } from "#content/toronto-time.ts";
import { type Backup, backUp, describeCounts, listBackups } from "#db/backup.ts";
import { askForRestore, describeRestore, forgetRestore, goOn } from "#db/restore.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { Act, type Answer, Empty, Field, failures, LookAgain, Page, When } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db, config } = deskOf(args);
  return {
    backups: (await listBackups(config)).map((one) => ({ ...one, holds: describeCounts(one) })),
    restore: await describeRestore(db, config, shortTorontoTime),
    days: config.backupDays,
  };
}

export async function action(args: PageArgs): Promise<Answer> {
  const { db, config, environment, now } = deskOf(args);
  const place = { ...config, environment };
  const form = await args.request.formData();
  switch (form.get("intent")) {
    case "back up": {
      const made = await backUp(place, { now: now(), keepDays: config.backupDays });
      if (made.ok) return { ok: true, said: "The backup is made, and was checked." };
      return { ok: false, problems: [`The backup could not be made: ${made.problem}`] };
    }
    case "restore": {
      const asked = await askForRestore(place, { name: String(form.get("name")), now: now() });
      if (!asked.ok) return { ok: false, problems: [asked.problem] };
      return { ok: true, said: "It is asked for." };
    }
    case "forget":
      await forgetRestore(place);
      return { ok: true, said: "Nothing is restored." };
    case "go on":
      await goOn(db);
      return { ok: true, said: "Plans, sends and letters go on." };
    default:
      return { ok: false, problems: ["Nothing was done."] };
  }
}

const reasons = { "before-restore": "Before a restore", uploaded: "Uploaded" };

export default function Backups() {
  const { backups, restore, days } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Backups"
      back={{ to: "/settings", name: "Settings" }}
      actions={
        <Act intent="back up" kind="main">
          Back up now
        </Act>
      }
    >
      <RestoreState restore={restore} />
      {restore?.state === "to do" && <LookAgain everyMs={2_000} />}
      <p>
        {days > 0
          ? `The running site makes one every night at half past three and keeps it for ${days} days.`
          : "The running site makes none at night, and deletes none of these."}{" "}
        <Link to="/settings">Change that</Link>. Each holds everything, personal information too, on
        the same machine as the site: download one now and then, and keep it elsewhere.
      </p>
      {backups.length === 0 ? (
        <Empty>
          None is here yet. {days > 0 ? "The first comes tonight, or press" : "Press"} “Back up
          now”.
        </Empty>
      ) : (
        <ul className="list">
          {backups.map((backup) => (
            <Row key={backup.name} backup={backup} />
          ))}
        </ul>
      )}
      <UploadForm />
    </Page>
  );
}

export function RestoreState({ restore }: Pick<Awaited<ReturnType<typeof loader>>, "restore">) {
  if (!restore) return null;
  return (
    <div className={restore.state === "to do" ? "notice" : "notice wrong"}>
      <p>{restore.text}</p>
      {restore.state === "held" ? (
        <Act
          action="/backups"
          intent="go on"
          sure="Let plans, sends and letters that waited go on? Look under Issues first at what is planned and paused."
        >
          Go on
        </Act>
      ) : (
        <Act action="/backups" intent="forget">
          {restore.state === "failed" ? "All right" : "Call it off"}
        </Act>
      )}
    </div>
  );
}

function Row({ backup }: { backup: Backup & { holds: string } }) {
  const { name, madeAt, sizeBytes, reason, holds } = backup;
  return (
    <li className="backup">
      <p>
        <b>
          <When at={madeAt} />
        </b>
        {reason && `, ${reasons[reason].toLowerCase()}`}
        <br />
        {holds}; {formatBytes(sizeBytes)}
      </p>
      <a href={`/backups/${name}/file`} download aria-label={`Download ${name}`}>
        Download
      </a>
      <Act
        intent="restore"
        fields={{ name }}
        sure={`Put the backup of ${shortTorontoTime(madeAt)} (${holds}) in the place of everything that is there now? The site closes its forms for some seconds, and makes a backup of what is there first. Whoever left or was erased since stays so. Plans and sends stand still until you say that they go on.`}
      >
        Restore…
      </Act>
    </li>
  );
}

function UploadForm() {
  const { revalidate } = useRevalidator();
  const [state, setState] = useState<"" | "busy" | Awaited<ReturnType<typeof upload>>>("");
  return (
    <section>
      <h2>Add one from elsewhere</h2>
      <p>
        A file that was downloaded here, or made by your server. It is listed above, and no more.
      </p>
      {typeof state === "object" && (
        <p className={state.ok ? "notice" : "notice wrong"} role={state.ok ? "status" : "alert"}>
          {state.ok ? "It is here, and was checked." : state.problem}
        </p>
      )}
      <form
        className="row"
        onSubmit={async (event) => {
          event.preventDefault();
          const file = new FormData(event.currentTarget).get("file");
          if (!(file instanceof File) || state === "busy") return;
          setState("busy");
          setState(await upload(file));
          await revalidate();
        }}
      >
        <Field label="Choose or drop it here">
          <input type="file" name="file" accept=".sqlite,.dump" required />
        </Field>
        <button type="submit" className="button" aria-disabled={state === "busy"}>
          {state === "busy" ? "Uploading…" : "Upload it"}
        </button>
      </form>
    </section>
  );
}

async function upload(file: File): Promise<{ ok: true } | { ok: false; problem: string }> {
  const headers = { "Content-Type": "application/octet-stream" };
  const to = `/backups/${encodeURIComponent(file.name)}/file`;
  const answer = await fetch(to, { method: "POST", body: file, headers }).catch(() => null);
  if (answer?.ok) return await answer.json();
  return { ok: false, problem: failures[answer ? "closed" : "lost"] };
}
