import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Database, Db } from "./tables.ts";

/** A stored picture's path, with its hash and its ending. */
export const picturePathShape = /^\/pictures\/([\w-]{43})\.(png|jpg|gif|webp)$/;

export const pictureMaxBytes = 5_000_000;

type PictureType = Database["pictures"]["media_type"];

export type Picture = { bytes: Buffer; type: PictureType; width: number; height: number };

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

/** May be in a file that says more than its pixels, such as where a photo was taken. Pixels can look like it too. */
const beyondPixels: Record<PictureType, RegExp | null> = {
  "image/jpeg": /\xff[\xe1\xe3-\xed\xef\xfe]|MPF\0|[\s\S]\xff\xd8/,
  "image/png": /^/,
  "image/webp": /EXIF|XMP /,
  "image/gif": null,
};

/** Reads a picture whole, and draws it anew, upright, where it is too wide or its file may say more than its pixels. */
export async function readPicture(
  bytes: Buffer,
  { maxBytes = pictureMaxBytes, maxWidthPx = Number.POSITIVE_INFINITY } = {},
): Promise<{ ok: true; picture: Picture } | { ok: false; problem: string }> {
  const type = pictureTypeOf(bytes);
  if (bytes.length > maxBytes) return refuse(`larger than ${maxBytes / 1_000_000} MB`);
  if (!type) return refuse("no PNG, JPEG, GIF or WebP");
  try {
    // It takes 20 MB, so it loads late.
    const { default: sharp } = await import("sharp");
    sharp.cache(false);
    const read = sharp(bytes, { animated: true, failOn: "error", limitInputPixels: 100_000_000 });
    const { isPalette = false, autoOrient, ...head } = await read.metadata();
    const isWide = type !== "image/gif" && autoOrient.width > maxWidthPx;
    if (!isWide && !beyondPixels[type]?.test(bytes.toString("latin1"))) {
      await read.stats();
      const { width, height, pageHeight = height } = head;
      return { ok: true, picture: { bytes, type, width, height: pageHeight } };
    }
    const quality = isWide ? 82 : 90;
    const { data, info } = await read
      .autoOrient()
      .resize(isWide ? maxWidthPx : null)
      .jpeg({ quality, force: false })
      .webp({ quality, force: false })
      .png({ palette: isPalette, force: false })
      .toBuffer({ resolveWithObject: true });
    if (data.length > pictureMaxBytes) return refuse("larger than 5 MB");
    const { width, height, pageHeight = height } = info;
    return { ok: true, picture: { bytes: data, type, width, height: pageHeight } };
  } catch {
    return refuse("damaged, or larger than a picture can be");
  }
}

function refuse(what: string) {
  return { ok: false as const, problem: `This picture is ${what}.` };
}

/** The path holds the hash of the bytes, so it never shows another picture. */
export function picturePath({ bytes, type }: Pick<Picture, "bytes" | "type">): string {
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

export async function storePicture(trx: Db, picture: Picture, now: Date): Promise<string> {
  const { bytes, type, width, height } = picture;
  const hash = hashOf(bytes);
  await trx
    .insertInto("pictures")
    .values({
      hash,
      media_type: type,
      size_bytes: bytes.length,
      width,
      height,
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

/** Networks show no larger file, and crop a smaller picture or leave it out. */
const cardLimits = { maxBytes: 600_000, minWidth: 600, minHeight: 315 };

/** The first picture of an issue that fits the card of a shared link. */
export async function findCardPicture(db: Db, html: string) {
  const shown = [...html.matchAll(shownPicture)].map(([, hash = ""]) => hash);
  if (shown.length === 0) return null;
  const fitting = await db
    .selectFrom("pictures")
    .select(["hash", "media_type as type", "width", "height"])
    .where("hash", "in", [...new Set(shown)])
    .where("size_bytes", "<=", cardLimits.maxBytes)
    .where("width", ">=", cardLimits.minWidth)
    .where("height", ">=", cardLimits.minHeight)
    .execute();
  const [first] = fitting.toSorted((a, b) => shown.indexOf(a.hash) - shown.indexOf(b.hash));
  if (!first) return null;
  const { hash, type, width, height } = first;
  return { path: `/pictures/${hash}.${endings[type]}`, type, width, height };
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
