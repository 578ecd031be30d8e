import { createHash } from "node:crypto";
import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { ownPicturePath } from "#issue-body/own-addresses.ts";
import { endingOf, type PictureType } from "./picture-type.ts";

/**
 * Bytes in one row, so that a picture costs whoever shows it no more memory than that. Divisible by 3: one text in
 * base64.
 */
export const pieceBytes = 96 * 1024;

export type Picture = { bytes: Buffer; type: PictureType };

/** Where the site serves a picture: the same bytes always at the same address, and no others. */
export function picturePath({ bytes, type }: Picture): string {
  return `/pictures/${hashOf(bytes)}.${endingOf(type)}`;
}

/** Keeps a picture once, and that an issue shows it. */
export async function keepPicture(
  trx: Kysely<Database>,
  { issueId, picture, now }: { issueId: number; picture: Picture; now: Date },
): Promise<void> {
  const { bytes, type } = picture;
  const hash = hashOf(bytes);
  const added = await trx
    .insertInto("pictures")
    .values({ hash, media_type: type, size_bytes: bytes.length, kept_at: now.toISOString() })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .returning("hash")
    .executeTakeFirst();
  for (let place = 0; added && place * pieceBytes < bytes.length; place += 1) {
    const piece = bytes.subarray(place * pieceBytes, (place + 1) * pieceBytes);
    await trx
      .insertInto("picture_pieces")
      .values({ hash, place, base64: piece.toString("base64") })
      .execute();
  }
  await showPicture(trx, { issueId, path: picturePath(picture) });
}

/** Keeps that an issue shows a picture that is there already. */
export async function showPicture(
  trx: Kysely<Database>,
  { issueId, path }: { issueId: number; path: string },
): Promise<void> {
  const [, hash = ""] = ownPicturePath.exec(path) ?? [];
  await trx
    .insertInto("issue_pictures")
    .values({ issue_id: issueId, hash })
    .onConflict((conflict) => conflict.columns(["issue_id", "hash"]).doNothing())
    .execute();
}

/** Takes an issue's pictures away with it, but for those that others show too. */
export async function forgetPictures(trx: Kysely<Database>, issueId: number): Promise<void> {
  const shown = await trx
    .deleteFrom("issue_pictures")
    .where("issue_id", "=", issueId)
    .returning("hash")
    .execute();
  for (const { hash } of shown) {
    await trx
      .deleteFrom("pictures")
      .where("hash", "=", hash)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("issue_pictures").select("hash").where("hash", "=", hash))),
      )
      .execute();
    await trx
      .deleteFrom("picture_pieces")
      .where("hash", "=", hash)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom("pictures").select("hash").where("hash", "=", hash))),
      )
      .execute();
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url");
}
