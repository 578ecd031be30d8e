import { html as markup } from "#mail/mail-document.ts";
import type { Problem } from "../../command-error.ts";
import { readAllRecords } from "../../records.ts";
import { calendarDate, oneLine } from "../issue-fields.ts";

/** A post of another program's export, with its body still in the file. */
export type ExportedPost = {
  /** `substack:1234`, `ghost:6a1f3c0e9b7d5248e0c4a116`: the same however often it is exported. */
  source: string;
  title: string;
  slug: string;
  /** The day in Toronto, `YYYY-MM-DD`; empty where `omitted`. */
  publishDate: string;
  /** Why it stays out: it isn't published, isn't an issue, or wasn't for everybody. */
  omitted: "draft" | "not a post" | "for paying subscribers" | null;
  place: Omit<Problem, "message">;
  /** Its HTML, or what is wrong with it in a sentence. */
  readBody: () => Promise<{ ok: true; html: string } | { ok: false; message: string }>;
};

export type PostExport = {
  program: "Substack" | "Ghost";
  /** The slug in the path of a post's published address; null where the path is none of a post. */
  slugInPath: (path: string) => string | null;
  posts: ExportedPost[];
  /** Posts that can't be imported. */
  problems: Problem[];
};

export type ExportOptions = {
  /** The published address of the other site, for what the export leaves open. */
  site: string | null;
  /** Whether posts that only paying subscribers could read are imported too. */
  withPaid: boolean;
};

/** The files of an export, in a folder or packed; read one at a time. */
export type ExportFiles = {
  /** Paths below the export's own folder, with slashes. */
  names: ReadonlySet<string>;
  /** Text in UTF-8; null where it is too large or isn't that. */
  read(name: string): Promise<string | null>;
};

type Fields = Record<string, unknown>;

/** Each post with what is wrong with it, if it isn't omitted. */
function sortOut(
  program: PostExport["program"],
  slugInPath: PostExport["slugInPath"],
  read: { post: ExportedPost; fault: string | null }[],
): PostExport {
  const found: PostExport = { program, slugInPath, posts: [], problems: [] };
  for (const { post, fault } of read) {
    if (fault === null || post.omitted !== null) found.posts.push(post);
    else found.problems.push({ ...post.place, message: fault });
  }
  return found;
}

/** The list of posts in Substack's export; each body is beside it, in `posts/{post_id}.html`. */
export const substackList = "posts.csv";

/** Reads the list of Substack's export: `post_id` is the number with the slug, `123456.quotes-before-lunch`. */
export async function readSubstack(
  name: string,
  files: ExportFiles,
  { withPaid }: ExportOptions,
): Promise<PostExport> {
  const list = `${name}/${substackList}`;
  const text = await files.read(substackList);
  const { records, problems } =
    text === null
      ? { records: [], problems: [{ file: list, line: null, message: "is not UTF-8 text." }] }
      : readAllRecords({ name: list, text });
  const read = records.map(({ line, fields }) => {
    const id = textOf(fields.post_id);
    const [number = "", ...slug] = id.split(".");
    const title = oneLine(textOf(fields.title));
    const publishDate = calendarDate(textOf(fields.post_date)) ?? "";
    const post: ExportedPost = {
      ...{ source: `substack:${number}`, slug: slug.join("."), title, publishDate },
      omitted: omittedBySubstack(fields, withPaid),
      place: { file: list, line },
      readBody: () => readSubstackBody(files, `posts/${id}.html`),
    };
    const fault = !/^\d+(?:\.[\w.-]*)?$/.test(id)
      ? "post_id is not a number with a slug."
      : title === ""
        ? "title is missing."
        : publishDate === ""
          ? "post_date is not a date."
          : null;
    return { post, fault };
  });
  const slugInPath = (path: string) => /^\/p\/([^/]+)\/?$/.exec(path)?.[1] ?? null;
  return problems.length > 0
    ? { program: "Substack", slugInPath, posts: [], problems }
    : sortOut("Substack", slugInPath, read);
}

function omittedBySubstack(fields: Fields, withPaid: boolean): ExportedPost["omitted"] {
  if (textOf(fields.is_published).toLowerCase() !== "true") return "draft";
  // Threads and pages don't go out as issues.
  if (!["newsletter", "podcast", ""].includes(textOf(fields.type))) return "not a post";
  const isPaid = ["only_paid", "founding"].includes(textOf(fields.audience));
  return isPaid && !withPaid ? "for paying subscribers" : null;
}

async function readSubstackBody(files: ExportFiles, file: string) {
  const html = files.names.has(file) ? await files.read(file) : "missing";
  if (html === "missing") return { ok: false as const, message: `${file} is missing.` };
  if (html === null)
    return { ok: false as const, message: `${file} is damaged, too large or not UTF-8 text.` };
  if (html.trim() === "") return { ok: false as const, message: `${file} is empty.` };
  return { ok: true as const, html };
}

/** Stands for the address of the site in Ghost's exports. */
const sitePlaceholder = "__GHOST_URL__";

/** The posts of Ghost's export, whose outermost object is `{ db: [{ data }] }` or `{ data }`; null where it isn't one. */
export function findGhostData(text: string): Fields | null {
  try {
    const outer = fieldsOf(JSON.parse(text));
    const [first] = Array.isArray(outer.db) ? outer.db : [outer];
    const data = fieldsOf(fieldsOf(first).data);
    return Array.isArray(data.posts) ? data : null;
  } catch {
    return null;
  }
}

/** Reads Ghost's export: what is shown is the `html` of a post, with its picture above. */
export function readGhost(
  { name, text, data }: { name: string; text: string; data: Fields },
  options: ExportOptions,
): PostExport {
  const alternatives = new Map(
    recordsIn(data.posts_meta).map(({ post_id, feature_image_alt }) => [
      textOf(post_id),
      textOf(feature_image_alt),
    ]),
  );
  const read = recordsIn(data.posts).map((fields) => {
    const id = textOf(fields.id);
    const body = bodyOf(fields, alternatives.get(id) ?? "");
    const html = body.replaceAll(sitePlaceholder, options.site ?? "");
    const post: ExportedPost = {
      ...{ source: `ghost:${id}`, slug: textOf(fields.slug) },
      title: oneLine(textOf(fields.title)),
      publishDate: dayOf(fields.published_at),
      omitted: omittedByGhost(fields, options),
      place: { file: name, line: lineOfId(text, id) },
      readBody: async () => ({ ok: true, html }),
    };
    return { post, fault: faultInGhost(post, { id, body, site: options.site }) };
  });
  // `/quotes/`, or with the day before it, as the site was set up.
  const slugInPath = (path: string) =>
    /^(?:\/\d{4}\/\d\d(?:\/\d\d)?)?\/([^/]+)\/?$/.exec(path)?.[1] ?? null;
  return sortOut("Ghost", slugInPath, read);
}

function omittedByGhost(fields: Fields, { withPaid }: ExportOptions): ExportedPost["omitted"] {
  // `sent`: gone out by mail alone.
  if (!["published", "sent"].includes(textOf(fields.status))) return "draft";
  const isPage = textOf(fields.type) === "page" || fields.page === true || fields.page === 1;
  if (isPage) return "not a post";
  return !["public", "members", ""].includes(textOf(fields.visibility)) && !withPaid
    ? "for paying subscribers"
    : null;
}

function faultInGhost(
  { title, publishDate }: ExportedPost,
  { id, body, site }: { id: string; body: string; site: string | null },
): string | null {
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
