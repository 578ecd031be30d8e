import { findDraft } from "#newsletter/drafts.ts";
import { deskOf, idOf, type PageArgs } from "../desk-context.ts";
import { judge } from "../save-draft-form.ts";

/**
 * A draft as it will be seen: `page`, or the mail as `light` or `dark`. Nothing in it can run: the policy allows no script,
 * whatever the sanitiser has let through.
 */
export async function loader(args: PageArgs): Promise<Response> {
  const desk = deskOf(args);
  const { kind = "" } = args.params;
  const draft = await findDraft(desk.db, idOf(args, "draft"));
  if (!draft) throw new Response(null, { status: 404 });
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
