import path from "node:path";
import { Link, useLoaderData } from "react-router";
import { formatBytes } from "#content/amounts.ts";
import { shortTorontoTime } from "#content/toronto-time.ts";
import { backUp, backupFolder, findBackup, listBackups } from "#db/backup.ts";
import { askForRestore, describeRestore, forgetRestore, goOn } from "#db/restore.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { Act, type Answer, Empty, LookAgain, Menu, nothingDone, Page, When } from "../ui.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db, config } = deskOf(args);
  return {
    backups: await listBackups(config),
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
      const made = await backUp(place, { now, keepDays: config.backupDays });
      if (made.ok) return { ok: true, said: "The backup is made, and was checked." };
      return { ok: false, problem: `The backup could not be made: ${made.problem}` };
    }
    case "restore": {
      const backup = await findBackup(config, String(form.get("name")));
      const file = path.join(backupFolder(config), backup?.name ?? "gone");
      const asked = await askForRestore(place, { file, now });
      return asked.ok ? { ok: true, said: "It is asked for." } : asked;
    }
    case "forget":
      await forgetRestore(place);
      return { ok: true, said: "Nothing is restored." };
    case "go on":
      await goOn(db);
      return { ok: true, said: "Plans, sends and letters go on." };
    default:
      return nothingDone;
  }
}

export default function Backups() {
  const { backups, restore, days } = useLoaderData<typeof loader>();
  return (
    <Page
      title="Backups"
      back={{ to: "/settings", name: "Settings" }}
      actions={<Act intent="back up" kind="main" deed="Back up now" />}
    >
      <RestoreState restore={restore} />
      {restore?.state === "to do" && <LookAgain everyMs={2_000} />}
      <p>
        {days > 0
          ? `The running site makes one every night at half past three, and keeps it for ${days} days.`
          : "The running site makes none at night, and deletes none of these."}{" "}
        <Link to="/settings?show=backups">Change that</Link>. Each holds everything there is.
        Download one now and then, and keep it elsewhere.
      </p>
      {backups.length === 0 && <Empty title="None is here yet" words="“Back up now” makes one." />}
      <ul className="list">
        {backups.map(({ name, madeAt, sizeBytes, isDamaged, isBeforeRestore, isMadeHere }) => (
          <li key={name} className="with-button">
            <p>
              <b>
                <When at={madeAt} />
              </b>
              <span className={isDamaged ? "state bad" : ""}>
                {isBeforeRestore ? "Before a restore" : isMadeHere ? "Everything" : name}
                {isDamaged && ". Damaged, can’t be restored"}
              </span>
              <data value={sizeBytes}>{formatBytes(sizeBytes)}</data>
            </p>
            <Menu label={`More for ${name}`}>
              <a className="button" href={`/backups/${name}/file`} aria-label={`Download ${name}`}>
                Download
              </a>
              {!isDamaged && (
                <Act
                  intent="restore"
                  fields={{ name }}
                  sure={`Put the backup of ${shortTorontoTime(madeAt)} in the place of everything that is there now?\n\nThe site closes its forms for some seconds, and makes a backup of what is there first. Whoever left or was erased since stays so. Plans and sends stand still until you say that they go on.`}
                  deed="Restore…"
                />
              )}
            </Menu>
          </li>
        ))}
      </ul>
      <p>
        To bring back a downloaded file, ask whoever keeps the server to copy it into the data
        folder’s “backups”. Then it is in this list.
      </p>
    </Page>
  );
}

const deeds = {
  held: {
    intent: "go on",
    sure: "Let plans, sends and letters that waited go on? Look under Issues first at what is planned and paused.",
    deed: "Go on",
  },
  failed: { intent: "forget", deed: "Dismiss" },
  "to do": { intent: "forget", deed: "Call it off" },
};

export function RestoreState({ restore }: Pick<Awaited<ReturnType<typeof loader>>, "restore">) {
  if (!restore) return null;
  return (
    <div className={restore.state === "to do" ? "notice" : "notice wrong"}>
      <p>{restore.text}</p>
      <Act action="/backups" {...deeds[restore.state]} />
    </div>
  );
}
