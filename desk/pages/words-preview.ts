import { listSiteWords } from "#operator/site-words.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { markWords, showMarks } from "../marked-words.ts";
import { filledIn, pathOf } from "../site-word-form.ts";

/** A page of the site with its words as they are stored, each known by its name. Nothing in it can run. */
export async function loader(args: PageArgs): Promise<Response> {
  return await preview(args, null);
}

/** The same with one fact as a form has it, which need not be right. */
export async function action(args: PageArgs): Promise<Response> {
  return await preview(args, await args.request.formData());
}

async function preview(args: PageArgs, form: FormData | null): Promise<Response> {
  const desk = deskOf(args);
  const facts = await listSiteWords(desk.db);
  const path = pathOf(facts, args.params.page);
  const typed = facts.find(({ name }) => name === form?.get("word"));
  const shown = facts
    .filter(({ over, path: own, changedAt }) => !over || own === path || changedAt !== null)
    .map((fact) => (form && fact === typed ? { ...fact, value: filledIn(fact, form) } : fact));
  const { words, marked } = markWords(shown);
  const html = showMarks(await desk.makeSitePage(path, words), marked);
  return new Response(
    html.replace("</head>", () => `<style>${styles}</style></head>`),
    {
      headers: {
        "Content-Type": "text/html; charset=utf-8",
        "Content-Security-Policy":
          "default-src 'none'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
      },
    },
  );
}

/** Every panel is open, since nothing here opens one. */
const styles = `
[data-word] { cursor: text; text-decoration: underline dotted 1.5px color-mix(in srgb, currentColor 45%, transparent); text-underline-offset: .25em }
[data-word]:hover, [data-word].chosen { background: #ffe9a8; color: #101a2b; text-decoration: none }
[role="tabpanel"][hidden] { display: block }
.site-header { position: static }
`;
