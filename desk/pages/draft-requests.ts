import { html } from "hono/html";
import { keepDraftPicture, picturePath, readPicture } from "#db/pictures.ts";
import { findDraft } from "#newsletter/issues/drafts.ts";
import { findIssue } from "#newsletter/issues/issues.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";
import { judge, type Saved, saveForm } from "../save-draft-form.ts";

/**
 * A draft as it will be seen, or an issue: `page`, or its mail as `light` or `dark`. Nothing in it can run: the policy allows no script,
 * whatever the sanitiser has let through.
 */
export async function loader(args: PageArgs): Promise<Response> {
  const desk = deskOf(args);
  const { kind, id } = args.params;
  const published = id ? await findIssue(desk.db, idOf(args)) : null;
  if (published) return previewOf(await desk.makeIssuePage(published));
  const draft = await findDraft(desk.db, idOf(args, "draft"));
  if (!draft || !kind) throw new Response(null, { status: 404 });
  const { issue, words, mail, problems } = await judge(desk, draft);
  const none = html`<!doctype html><html lang="en-CA"><title>Preview</title><body style="background:#fafcf6;font:1rem/1.5 sans-serif">Nothing to show yet. ${problems.join(" ")}`;
  if (!words || !mail) return previewOf(`${none}`);
  if (kind === "page")
    return previewOf(await desk.makeIssuePage({ id: issue?.id ?? null, ...words }));
  const dark = /\(prefers-color-scheme:\s*dark\)/g;
  const shown = mail.html
    .replaceAll(dark, kind === "dark" ? "all" : "not all")
    // The site may not be up, and its pictures and logo are here too.
    .replaceAll(`src="${desk.settings.url}/`, 'src="/');
  return previewOf(shown);
}

export function previewOf(page: string): Response {
  return new Response(page, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy":
        "default-src 'none'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' https: http: data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
    },
  });
}

export async function action(args: PageArgs): Promise<Response> {
  if (args.params.what === "pictures") return Response.json(await storePicture(args));
  const saved = await saveForm(args, await args.request.formData());
  if (!saved.ok) return Response.json(saved satisfies Saved);
  const { version, saved_at: savedAt } = saved.draft;
  const { problems, notes, isIssueChanged } = await judge(deskOf(args), saved.draft);
  const checked = { problems, notes, isIssueChanged };
  return Response.json({ ok: true, version, savedAt, ...checked } satisfies Saved);
}

/** A photo as a phone takes it; and twice what the page's column and the mail show, so that it is sharp on a phone. */
const pictureLimits = { maxBytes: 30_000_000, maxWidthPx: 1280 };
/** A mail's column. Outlook shows a wider picture beside it. */
const mailWidthPx = 534;

export type StoredPicture =
  | { ok: true; path: string; width: string }
  | { ok: false; problem: string };

async function storePicture(args: PageArgs): Promise<StoredPicture> {
  const { db, now } = deskOf(args);
  const read = await readPicture(Buffer.from(await args.request.arrayBuffer()), pictureLimits);
  if (!read.ok) return read;
  const { picture } = read;
  await keepDraftPicture(db, { draftId: idOf(args, "draft"), picture, now });
  const width = String(Math.min(picture.width, mailWidthPx));
  return { ok: true, path: picturePath(picture), width };
}
