import { keepDraftPicture, pictureMaxBytes, picturePath, readPicture } from "#db/pictures.ts";
import { findDraft } from "#newsletter/issues/drafts.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";
import { judge, type Saved, saveForm } from "../save-draft-form.ts";

/**
 * A draft as it will be seen: `page`, or the mail as `light` or `dark`. Nothing in it can run: the policy allows no script,
 * whatever the sanitiser has let through.
 */
export async function loader(args: PageArgs): Promise<Response> {
  const desk = deskOf(args);
  const { kind } = args.params;
  const draft = await findDraft(desk.db, idOf(args, "draft"));
  if (!draft || !kind) throw new Response(null, { status: 404 });
  const { issue, words, mail, problems } = await judge(desk, draft);
  if (!words || !mail) return answer(`Nothing to show yet. ${problems.join(" ")}`, "text/plain");
  if (kind === "page")
    return answer(await desk.makeIssuePage({ id: issue?.id ?? null, ...words }), "text/html");
  const dark = /\(prefers-color-scheme:\s*dark\)/g;
  const html = mail.html
    .replaceAll(dark, kind === "dark" ? "all" : "not all")
    // The site may not be up, and its pictures and logo are here too.
    .replaceAll(`src="${desk.settings.url}/`, 'src="/');
  return answer(html, "text/html");
}

function answer(body: string, type: string): Response {
  return new Response(body, {
    headers: {
      "Content-Type": `${type}; charset=utf-8`,
      "Content-Security-Policy":
        "default-src 'none'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' https: http: data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
    },
  });
}

export async function action(args: PageArgs): Promise<Response> {
  const desk = deskOf(args);
  if (args.params.what === "pictures") return await storePicture(desk, args);
  const saved = await saveForm(desk, args, await args.request.formData());
  if (!saved.ok) return Response.json(saved satisfies Saved);
  const { version, saved_at: savedAt } = saved.draft;
  const { problems, notes } = await judge(desk, saved.draft);
  return Response.json({ ok: true, version, savedAt, problems, notes } satisfies Saved);
}

async function storePicture({ db, now }: ReturnType<typeof deskOf>, args: PageArgs) {
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
