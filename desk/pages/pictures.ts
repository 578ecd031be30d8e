import {
  keepDraftPicture,
  pictureMaxBytes,
  picturePath,
  readPicture,
} from "#newsletter/pictures.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";

/** Stores a picture of a draft, sent as it is, and answers with its address on the site. */
export async function action(args: PageArgs): Promise<Response> {
  const { db, now } = deskOf(args);
  const bytes = Buffer.from(await args.request.arrayBuffer());
  const picture = readPicture(bytes);
  if (picture === null)
    return refusal("Only PNG, JPEG, GIF and WebP pictures are shown everywhere.");
  if (bytes.length > pictureMaxBytes) {
    return refusal(
      `A picture may have ${pictureMaxBytes / 1e6} MB; this one has more. Save it smaller.`,
    );
  }
  await keepDraftPicture(db, { draftId: idOf(args, "draft"), picture, now: now() });
  return Response.json({ ok: true, path: picturePath(picture) });
}

function refusal(problem: string): Response {
  return Response.json({ ok: false, problem }, { status: 422 });
}
