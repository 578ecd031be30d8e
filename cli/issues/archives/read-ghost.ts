import { html as markup } from "#mail/mail-document.ts";
import { calendarDate } from "../calendar-date.ts";
import type { Archive, ArchivedPost, ArchiveOptions } from "./archived-post.ts";

/** Stands for the address of the site in Ghost's exports. */
const sitePlaceholder = "__GHOST_URL__";

type Fields = Record<string, unknown>;

/** The posts of Ghost's export, whose outermost object is `{ db: [{ data }] }` or `{ data }`; null where it isn't one. */
export function findGhostData(text: string): Fields | null {
  if (!text.trimStart().startsWith("{")) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const outer = fieldsOf(value);
  const [first] = Array.isArray(outer.db) ? outer.db : [outer];
  const data = fieldsOf(fieldsOf(first).data);
  return Array.isArray(data.posts) ? data : null;
}

/** Reads Ghost's export: what is shown is the `html` of a post, with its picture above. */
export function readGhost(
  { name, text, data }: { name: string; text: string; data: Fields },
  options: ArchiveOptions,
): Archive {
  const archive: Archive = { program: "Ghost", slugInPath, posts: [], problems: [] };
  const alternatives = new Map(
    recordsIn(data.posts_meta).map((meta) => [
      textOf(meta.post_id),
      textOf(meta.feature_image_alt),
    ]),
  );
  for (const fields of recordsIn(data.posts)) {
    const id = textOf(fields.id);
    const place = { file: name, line: lineOfId(text, id) };
    const title = textOf(fields.title);
    const publishDate = dayOf(fields.published_at);
    const omitted = omittedBecause(fields, options);
    const body = bodyOf(fields, alternatives.get(id) ?? "");
    const fault = omitted === null ? faultOf({ id, title, publishDate, body, ...options }) : null;
    if (fault) archive.problems.push({ ...place, message: fault });
    else {
      const html = body.replaceAll(sitePlaceholder, options.site ?? "");
      archive.posts.push({
        source: `ghost:${id}`,
        slug: textOf(fields.slug),
        title,
        publishDate,
        omitted,
        place,
        readBody: async () => ({ ok: true, html }),
      });
    }
  }
  return archive;
}

function omittedBecause(fields: Fields, { withPaid }: ArchiveOptions): ArchivedPost["omitted"] {
  // `sent`: gone out by mail alone.
  if (!["published", "sent"].includes(textOf(fields.status))) return "draft";
  const isPage = textOf(fields.type) === "page" || fields.page === true || fields.page === 1;
  if (isPage) return "not a post";
  return !["public", "members", ""].includes(textOf(fields.visibility)) && !withPaid
    ? "for paying readers"
    : null;
}

type Checked = { id: string; title: string; publishDate: string; body: string } & ArchiveOptions;

function faultOf({ id, title, publishDate, body, site }: Checked): string | null {
  if (id === "") return "a post has no id.";
  if (title === "") return `the post ${id} has no title.`;
  if (publishDate === "") return `"${title}" has no date of publication.`;
  if (body === "") return `"${title}" has no html; a newer version of Ghost exports it.`;
  if (site === null && body.includes(sitePlaceholder)) {
    return `"${title}" speaks of addresses of the old site: say with --site https://… which it is.`;
  }
  return null;
}

function bodyOf(fields: Fields, alternative: string): string {
  const body = textOf(fields.html);
  const picture = textOf(fields.feature_image);
  if (body === "" || picture === "") return body;
  return `${markup`<figure><img src="${picture}" alt="${alternative}"></figure>`}\n${body}`;
}

/** `/quotes/`, or with the day before it, as the site was set up. */
function slugInPath(path: string): string | null {
  return /^(?:\/\d{4}\/\d\d(?:\/\d\d)?)?\/([^/]+)\/?$/.exec(path)?.[1] ?? null;
}

/** Text of a time, or milliseconds since 1970, as older versions and converters write it. */
function dayOf(value: unknown): string {
  const text = typeof value === "number" ? new Date(value).toISOString() : textOf(value);
  // Without an offset it's UTC.
  const isBare = /^\d{4}-\d\d-\d\d \d\d:\d\d(?::\d\d)?$/.test(text);
  return calendarDate(isBare ? `${text}Z` : text) ?? "";
}

/** Where the post's id stands; null in a file of one line, in which a line says nothing. */
function lineOfId(text: string, id: string): number | null {
  if (!text.trimEnd().includes("\n")) return null;
  const at = text.indexOf(JSON.stringify(id));
  return at === -1 ? null : text.slice(0, at).split("\n").length;
}

function recordsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function textOf(value: unknown): string {
  return typeof value === "number" ? String(value) : typeof value === "string" ? value.trim() : "";
}
