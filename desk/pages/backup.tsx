import path from "node:path";
import { useActionData, useLoaderData } from "react-router";
import { amount, duration, formatBytes, number } from "#content/amounts.ts";
import { findBackup } from "#operator/kept-backups.ts";
import { backupFolder } from "#operator/nightly-backup.ts";
import { type BackupLook, lookAtBackup, type UnfitBackup } from "#operator/read-backup.ts";
import { type RestoredBackup, restoreBackup } from "#operator/restore-backup.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { Act, type Answer, Later, Page, When } from "../ui.tsx";
import { reasonFor } from "./backups.tsx";

export { clientAction } from "../ui.tsx";

export async function loader(args: PageArgs) {
  const { db, config, now } = deskOf(args);
  const folder = backupFolder(config);
  const backup = await findBackup(folder, args.params.name ?? "");
  if (!backup) throw new Response(null, { status: 404 });
  // Comes after the page: a copy of it is opened, checked and brought up to date.
  const look = lookAtBackup(db, path.join(folder, backup.name), folder);
  look.catch(() => {});
  return { ...backup, look, now: now().toISOString() };
}

export async function action(args: PageArgs): Promise<Answer> {
  const { store, config, now } = deskOf(args);
  const folder = backupFolder(config);
  const backup = await findBackup(folder, args.params.name ?? "");
  const intent = (await args.request.formData()).get("intent");
  if (!store || !backup || intent !== "restore") return refusal("Nothing was done.");
  const file = path.join(folder, backup.name);
  const restored = await restoreBackup(store, { file, folder, settings: config, now: now() });
  if (restored.ok) return { ok: true, said: describeRestored(restored) };
  if (restored.reason === "busy")
    return refusal(
      "Nothing was changed: the site was writing all the time. Try again in a minute.",
    );
  if (restored.reason === "under_way")
    return refusal(
      "Nothing was changed: another restore is under way, or was cut off a moment ago. Try again in a minute.",
    );
  return refusal(`${unfitWords(restored)} Nothing was changed.`);
}

function refusal(problem: string): Answer {
  return { ok: false, problems: [problem] };
}

function describeRestored(restored: RestoredBackup): string {
  const { before, erasedAgain, endedAgain, heldMails, pausedSends, stoppedPlans } = restored;
  const about = (count: number, words: string) => (count > 0 ? `${words}.` : "");
  return [
    `Restored. What was there before is ${path.basename(before ?? "")}, under Backups.`,
    about(
      erasedAgain,
      `${amount(erasedAgain, "person who has", "people who have")} asked to be erased since ${erasedAgain === 1 ? "was" : "were"} erased again`,
    ),
    about(
      endedAgain,
      `${amount(endedAgain, "subscriber", "subscribers")} who left or can’t be reached since get${endedAgain === 1 ? "s" : ""} no issue`,
    ),
    about(
      pausedSends,
      `${amount(pausedSends, "send is", "sends are")} paused: resume under Issues what is to go on`,
    ),
    about(
      stoppedPlans,
      `${amount(stoppedPlans, "planned issue is", "planned issues are")} stopped: plan anew what is to go out`,
    ),
    about(
      heldMails,
      `${amount(heldMails, "mail", "mails")} may have gone out since and wait${heldMails === 1 ? "s" : ""} for your word on Today`,
    ),
  ]
    .filter(Boolean)
    .join(" ");
}

function unfitWords(unfit: UnfitBackup): string {
  switch (unfit.reason) {
    case "no_file":
      return "It isn’t there any more.";
    case "unknown_kind":
      return "It is no backup: neither a SQLite file nor PostgreSQL’s.";
    case "newer":
      return "It was made by a newer version of this program. Update the program first.";
    case "not_ours":
      return `It is of another program: ${unfit.why}.`;
    case "damaged":
      return `It is damaged: ${unfit.why}.`;
    case "failed":
      return `It failed: ${unfit.why}.`;
    case "no_tool":
      return `It can’t be read on this machine: ${unfit.why}.`;
  }
}

const labels: Record<(BackupLook & { ok: true })["counts"][number]["what"], string> = {
  issues: "Issues",
  drafts: "Drafts",
  subscribers: "Subscribers who get mail",
  messages: "Messages",
  settings: "Settings",
  words: "Words of the site",
};

export default function Backup() {
  const { name, at, sizeBytes, look, now } = useLoaderData<typeof loader>();
  const isRestored = useActionData<Answer>()?.ok;
  return (
    <Page title="Restore a backup" back={{ to: "/backups", name: "Backups" }}>
      <p>
        {reasonFor(name)}, <When at={at} />, {formatBytes(sizeBytes)}
      </p>
      {!isRestored && (
        <Later
          key={name}
          value={look}
          waiting="Looking at what is in it…"
          failed="The backup could not be looked at. The window where the desk was started says why."
        >
          {(found) =>
            found.ok ? (
              <Change look={found} now={now} />
            ) : (
              <p className="notice wrong" role="alert">
                This can’t be restored. {unfitWords(found)}
              </p>
            )
          }
        </Later>
      )}
    </Page>
  );
}

function Change({ look, now }: { look: BackupLook & { ok: true }; now: string }) {
  const { from, steps, counts } = look;
  const age = from && Math.max(0, Date.parse(now) - Date.parse(from)) / 1000;
  return (
    <>
      <section>
        <h2>What will change</h2>
        <p>
          {from ? (
            <>
              It holds the site as it was at <When at={from} />, {duration(age || 0)} ago.
              Everything since is taken away.
            </>
          ) : (
            "It holds a site that has never run."
          )}
          {steps > 0 &&
            ` It is of an older version of the program, and is brought up to date by ${amount(steps, "step")}.`}
        </p>
        <table className="change">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col" className="number">
                Now
              </th>
              <th scope="col" className="number">
                Then
              </th>
              <th scope="col" className="number">
                Change
              </th>
            </tr>
          </thead>
          <tbody>
            {counts.map(({ what, here, there }) => (
              <tr key={what}>
                <th scope="row">{labels[what]}</th>
                <td className="number">{number(here)}</td>
                <td className="number">{number(there)}</td>
                <td className="number">
                  {here === there
                    ? "none"
                    : `${number(Math.abs(there - here))} ${there > here ? "more" : "fewer"}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section>
        <h2>What stays</h2>
        <ul>
          <li>Whoever left, or was erased, since then gets no mail.</li>
          <li>
            No mail that went out since goes out again by itself: sends are paused, plans stopped.
          </li>
          <li>Who opens the desk, and the list of what was done there.</li>
        </ul>
        <p>
          A backup of what is there now is made first. The site stays up; for some seconds its forms
          ask visitors to try again.
        </p>
        <Act
          intent="restore"
          kind="danger"
          sure="Put this backup in the place of everything that is there now?"
        >
          Restore this backup
        </Act>
      </section>
    </>
  );
}
