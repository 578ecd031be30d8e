import type { SiteSettings } from "#content/site-settings.ts";
import { listSiteWords, type SiteWord } from "#settings/site-words.ts";
import { deskOf, type PageArgs } from "../desk-context.ts";
import { previewOf } from "./draft-requests.ts";
import { pathOf } from "./words-form.tsx";

/** A page of the site with its words as they are stored, each known by its name. Nothing in it can run. */
export async function loader(args: PageArgs): Promise<Response> {
  const desk = deskOf(args);
  const facts = await listSiteWords(desk.db);
  const path = pathOf(facts, args.params.page);
  const shown = facts.filter(
    ({ over, path: own, changedAt }) => !over || own === path || changedAt !== null,
  );
  const { words, marked } = markWords(shown);
  const html = showMarks(await desk.makeSitePage(path, words), marked);
  const ownStyles = `<style>${styles}</style><style id="chosen"></style></head>`;
  return previewOf(html.replace("</head>", () => ownStyles));
}

const styles = `
[data-word] { cursor: text; text-decoration: underline dotted 1.5px color-mix(in srgb, currentColor 45%, transparent); text-underline-offset: .25em }
[data-word]:hover { background: #ffe9a8; color: #101a2b; text-decoration: none }
[role="tabpanel"][hidden] { display: block }
.site-header { position: static }
`;

// In the preview of a page, each of the owner's sentences is known by a mark around it: signs for private use, which pages
// hand on as they do any others. So no page of the site has anything of the desk's in it.

const opens = "\ue000";
const closes = "\ue001";
/** The number of a mark is one sign, which nothing tears apart. */
const firstNumber = 0xe100;
const mark = /\ue000([\ue100-\uf8ff])|\ue001/;

type Marked = { word: string; field: string };

function markWords(facts: readonly SiteWord[]) {
  const marked: Marked[] = [];
  const words = facts.map(({ name, fields, rows, value, over }) => {
    const markRow = (row: Record<string, unknown>, index: number) =>
      Object.fromEntries(
        Object.entries(row).map(([key, text]) => {
          const kind = fields[key]?.kind;
          // The newsletter's name is drawn in dots too, which have no such signs.
          const isText = (kind === "line" || kind === "lines") && name !== "newsletter";
          if (!isText || typeof text !== "string" || text === "") return [key, text];
          const number = String.fromCharCode(firstNumber + marked.length);
          marked.push({ word: name, field: `${index}.${key}` });
          return [key, opens + number + text + closes];
        }),
      );
    const shown = rows
      ? (value as Record<string, unknown>[]).map(markRow)
      : markRow(value as Record<string, unknown>, 0);
    return [name, over === undefined ? shown : { ...shown, over }];
  });
  return { words: Object.fromEntries(words) as NonNullable<SiteSettings["words"]>, marked };
}

function showMarks(html: string, marked: readonly Marked[]): string {
  const start = html.indexOf("<body");
  const around: Marked[] = [];
  let closed = "";
  const body = html.slice(start).replace(/<!--.*?-->|<[^>]*>|[^<]+/gs, (part) => {
    if (part.startsWith("<")) {
      const [, end, name] = /^<(\/?)(svg|select|textarea|style)\b/.exec(part) ?? [];
      if (name && (closed === "" || closed === name)) closed = end ? "" : name;
      return withoutMarks(part);
    }
    let shown = "";
    for (let rest = part; rest !== ""; ) {
      const found = mark.exec(rest);
      const text = found ? rest.slice(0, found.index) : rest;
      const { word, field } = around.at(-1) ?? {};
      shown +=
        word && text && closed === ""
          ? `<span data-word="${word}" data-field="${field}" tabindex="0">${text}</span>`
          : text;
      rest = found ? rest.slice(found.index + found[0].length) : "";
      const opened = found?.[1] && marked[found[1].charCodeAt(0) - firstNumber];
      if (opened) around.push(opened);
      else if (found) around.pop();
    }
    return shown;
  });
  return withoutMarks(html.slice(0, start)) + body;
}

function withoutMarks(text: string): string {
  return text.replaceAll(new RegExp(mark, "g"), "");
}
