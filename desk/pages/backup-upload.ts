import { receiveBackup } from "#operator/kept-backups.ts";
import { backupFolder } from "#operator/nightly-backup.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import type { Answer } from "../ui.tsx";

export type Uploaded = { ok: true; name: string } | (Answer & { ok: false });

/** The body is the file itself, which is written to the disk as it comes. */
export async function action(args: PageArgs): Promise<Response> {
  const { config, now } = deskOf(args);
  const { body } = args.request;
  const taken = body
    ? await receiveBackup(backupFolder(config), {
        bytes: body as unknown as AsyncIterable<Uint8Array>,
        now: now(),
      })
    : ({ ok: false, reason: "unknown_kind" } as const);
  if (taken.ok) return Response.json(taken satisfies Uploaded);
  const problem =
    taken.reason === "unknown_kind"
      ? "That is no backup: choose a .sqlite or .dump file, as it was downloaded here or made by your server."
      : `The file could not be stored: ${taken.why}`;
  return Response.json({ ok: false, problems: [problem] } satisfies Uploaded);
}
