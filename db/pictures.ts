import { createHash } from "node:crypto";
import { sql } from "kysely";
import { withoutCameraData } from "./camera-data.ts";
import type { Database, Db } from "./tables.ts";

/** A stored picture's path, with its hash and its ending. */
export const picturePathShape = /^\/pictures\/([\w-]{43})\.(png|jpg|gif|webp)$/;

export const pictureMaxBytes = 5_000_000;

type PictureType = Database["pictures"]["media_type"];

export type Picture = { bytes: Buffer; type: PictureType };

const endings: Record<PictureType, string> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
};

export function pictureTypeOf(bytes: Uint8Array): PictureType | null {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16));
  const text = start.toString("latin1");
  if (text.startsWith("\u0089PNG\r\n\u001a\n")) return "image/png";
  if (text.startsWith("\u00ff\u00d8\u00ff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(text)) return "image/gif";
  return /^RIFF[\s\S]{4}WEBP/.test(text) ? "image/webp" : null;
}

export function readPicture(bytes: Buffer): Picture | null {
  const type = pictureTypeOf(bytes);
  return type && { bytes: withoutCameraData(bytes, type), type };
}

/** The path holds the hash of the bytes, so it never shows another picture. */
export function picturePath({ bytes, type }: Picture): string {
  return `/pictures/${hashOf(bytes)}.${endings[type]}`;
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url");
}

export async function keepDraftPicture(
  db: Db,
  { draftId, picture, now }: { draftId: number; picture: Picture; now: Date },
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const hash = await storePicture(trx, picture, now);
    await sql`insert into draft_pictures (draft_id, hash) values (${draftId}, ${hash})
      on conflict do nothing`.execute(trx);
  });
}

export async function storePicture(trx: Db, { bytes, type }: Picture, now: Date): Promise<string> {
  if (bytes.length > pictureMaxBytes) throw new RangeError(`A picture has ${bytes.length} bytes.`);
  const hash = hashOf(bytes);
  await trx
    .insertInto("pictures")
    .values({
      hash,
      media_type: type,
      size_bytes: bytes.length,
      kept_at: now.toISOString(),
      base64: bytes.toString("base64"),
    })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .execute();
  return hash;
}

/** Links stored pictures to an issue. Earlier ones stay: mails show them. */
export async function linkShownPictures(
  trx: Db,
  { issueId, html }: { issueId: number; html: string },
): Promise<void> {
  const hashes = [...html.matchAll(shownPicture)].map(([, hash = ""]) => hash);
  if (hashes.length === 0) return;
  await sql`insert into issue_pictures (issue_id, hash)
    select cast(${issueId} as bigint), hash from pictures where hash in (${sql.join(hashes)})
    on conflict (issue_id, hash) do nothing`.execute(trx);
}

const shownPicture = /\/pictures\/([\w-]{43})\./g;

export async function removePicturesOf(trx: Db, issueId: number): Promise<void> {
  await trx.deleteFrom("issue_pictures").where("issue_id", "=", issueId).execute();
  await removeUnshown(trx);
}

/** Other drafts, mails and the team's portraits may still show a picture. */
export async function removeUnshown(trx: Db): Promise<void> {
  await sql`delete from pictures where hash not in
      (select hash from issue_pictures union select hash from draft_pictures)
    and not exists (select 1 from drafts where body like '%' || pictures.hash || '%')
    and not exists (select 1 from binned_issues where html like '%' || pictures.hash || '%')
    and not exists (select 1 from site_words where value like '%' || pictures.hash || '%')`.execute(
    trx,
  );
}

export async function findPicture(db: Db, path: string) {
  const [, hash = "", ending] = picturePathShape.exec(path) ?? [];
  if (hash === "") return null;
  const found = await db
    .selectFrom("pictures")
    .select(["hash", "media_type as type", "size_bytes as sizeBytes"])
    .where("hash", "=", hash)
    .executeTakeFirst();
  return found && endings[found.type] === ending ? found : null;
}

export async function readPictureBytes(db: Db, hash: string): Promise<Buffer<ArrayBuffer>> {
  const { base64 } = await db
    .selectFrom("pictures")
    .select("base64")
    .where("hash", "=", hash)
    .executeTakeFirstOrThrow();
  return Buffer.from(base64, "base64");
}
