import { mkdir } from "node:fs/promises";
import { useState } from "react";
import { Form, Link, useLoaderData, useNavigate } from "react-router";
import { formatBytes } from "#content/amounts.ts";
import { type KeptBackup, listBackups } from "#operator/kept-backups.ts";
import { backUpInto, backupFolder, readBackupOutcomes } from "#operator/nightly-backup.ts";
import { listOwnersSettings, saveOwnersSettings } from "#operator/owner-settings.ts";
import { type Desk, deskOf, type PageArgs } from "../desk-context.ts";
import { Act, type Answer, Empty, Field, failures, Page, Submit, When } from "../ui.tsx";
import type { Uploaded } from "./backup-upload.ts";

export { clientAction } from "../ui.tsx";

const pageRows = 40;

export async function loader(args: PageArgs) {
  const { db, store, config, environment } = deskOf(args);
  const before = new URL(args.request.url).searchParams.get("before") ?? undefined;
  const found = await listBackups(backupFolder(config), { limit: pageRows + 1, before });
  const { made, failed } = await readBackupOutcomes(db);
  const { version, settings } = await listOwnersSettings(db, environment);
  return {
    backups: found.slice(0, pageRows),
    older: found.length > pageRows ? `?before=${found[pageRows - 1]?.name}` : null,
    isLater: before !== undefined,
    failed: failed && failed.at > (made?.at ?? "") ? failed : null,
    days: config.backupDays,
    version,
    isFixed: settings.some(({ name, isFixed }) => name === "BACKUP_DAYS" && isFixed),
    isPostgres: store?.kind === "postgres",
  };
}

export async function action(args: PageArgs): Promise<Answer> {
  const desk = deskOf(args);
  const form = await args.request.formData();
  switch (form.get("intent")) {
    case "back up":
      return await backUpNow(desk);
    case "keep": {
      const changes = { BACKUP_DAYS: String(form.get("days")) };
      const basedOn = String(form.get("basedOn"));
      const saved = await saveOwnersSettings(desk.db, desk.environment, {
        changes,
        basedOn,
        now: desk.now(),
      });
      if (!saved.ok) {
        if (saved.reason === "invalid") return { ok: false, problems: saved.problems };
        const problem =
          "Another window has changed the settings since. Load this page again first.";
        return { ok: false, problems: [problem] };
      }
      await desk.lookAtSettings();
      return { ok: true, said: "Saved. It counts from the next backup on." };
    }
    default:
      return { ok: false, problems: ["Nothing was done."] };
  }
}

async function backUpNow({ config, now }: Desk): Promise<Answer> {
  const folder = backupFolder(config);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const made = await backUpInto(config, { folder, now: now(), keepDays: config.backupDays });
  if (made.ok) return { ok: true, said: "The backup is made, and was checked. Download it below." };
  return { ok: false, problems: [`The backup could not be made: ${made.why}`] };
}

/** What made it, by its name. */
export function reasonFor(name: string): string {
  if (name.includes("before-restore")) return "Before a restore";
  return name.includes("uploaded") ? "Uploaded" : "Made by the site";
}

export default function Backups() {
  const { backups, older, isLater, failed, days, isPostgres } = useLoaderData<typeof loader>();
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
      {failed && (
        <div className="notice wrong">
          <p>
            The backup of <When at={failed.at} /> failed: {failed.words}. When that is mended, press
            “Back up now”.
          </p>
        </div>
      )}
      <p>
        {days > 0
          ? `The running site makes one every night at half past three and keeps it for ${days} days.`
          : "The running site makes none at night, and deletes none of these."}{" "}
        Each holds everything, personal information too, on the same machine as the site: download
        one now and then, and keep it elsewhere.
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
      <div className="actions">
        {isLater && <Link to="/backups">Latest</Link>}
        {older && <Link to={older}>Earlier ones</Link>}
      </div>
      <UploadForm />
      <Keep />
      {isPostgres && (
        <p>
          The database is PostgreSQL. A backup is one file that needs no tools of PostgreSQL, and
          can be restored here or on SQLite.
        </p>
      )}
    </Page>
  );
}

function Row({ backup: { name, at, sizeBytes } }: { backup: KeptBackup }) {
  return (
    <li className="backup">
      <p>
        <b>
          <When at={at} />
        </b>
        <br />
        {reasonFor(name)}, {formatBytes(sizeBytes)}
      </p>
      <a href={`/backups/${name}/file`} download aria-label={`Download ${name}`}>
        Download
      </a>
      <Link to={`/backups/${name}`} aria-label={`Restore… ${name}`}>
        Restore…
      </Link>
    </li>
  );
}

function UploadForm() {
  const navigate = useNavigate();
  const [state, setState] = useState<"" | "busy" | Answer>("");
  async function upload(file: File) {
    setState("busy");
    const answer = await fetch("/backups/upload", {
      method: "POST",
      body: file,
      headers: { "Content-Type": "application/octet-stream" },
    }).catch(() => null);
    if (!answer?.ok)
      return setState({ ok: false, problems: [failures[answer ? "closed" : "lost"]] });
    const taken: Uploaded = await answer.json();
    if (taken.ok) await navigate(`/backups/${taken.name}`);
    else setState(taken);
  }
  return (
    <section>
      <h2>Restore another one</h2>
      <p>
        A file that was downloaded here, or made by your server. Choosing it changes nothing: you
        see first what it would change.
      </p>
      {typeof state === "object" && !state.ok && (
        <p className="notice wrong" role="alert">
          {state.problems.join(" ")}
        </p>
      )}
      <form
        className="row"
        onSubmit={(event) => {
          event.preventDefault();
          const file = new FormData(event.currentTarget).get("file");
          if (file instanceof File && state !== "busy") void upload(file);
        }}
      >
        <Field label="Choose or drop it here">
          <input type="file" name="file" accept=".sqlite,.dump" required />
        </Field>
        <button type="submit" className="button" aria-disabled={state === "busy"}>
          {state === "busy" ? "Uploading…" : "Look at it"}
        </button>
      </form>
    </section>
  );
}

function Keep() {
  const { days, version, isFixed } = useLoaderData<typeof loader>();
  return (
    <section>
      <h2>How long they are kept</h2>
      {isFixed ? (
        <p>Set where the site runs, as BACKUP_DAYS, and can be changed there alone.</p>
      ) : (
        <Form method="post" className="row" key={version}>
          <input type="hidden" name="basedOn" value={version} />
          <Field label="Days" help="0: none is made at night, and none is deleted.">
            <input name="days" inputMode="numeric" required defaultValue={days} />
          </Field>
          <Submit intent="keep">Save</Submit>
        </Form>
      )}
    </section>
  );
}
