import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { html as markup } from "#mail/mail-document.ts";
import { calendarDate, isPublishDate } from "#newsletter/calendar-date.ts";
import { type ImportedIssue, issueBodyMaxLength, issueTitleMaxLength } from "#newsletter/issues.ts";
import { oneLine } from "#newsletter/read-issue-text.ts";
import { decodeText, fileKind, openZip, unreadableZip, type ZippedFiles } from "../given-file.ts";
import { type Problem, type RecordFormat, readAllRecords } from "../records.ts";

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
  html: string;
};

export type PostExport = {
  program: "Substack" | "Ghost";
  /** The slug in the path of a post's published address; null where the path is none of a post. */
  slugInPath: (path: string) => string | null;
  posts: ExportedPost[];
  problems: Problem[];
};

type ExportOptions = {
  /** The published address of the other site, for what the export leaves open. */
  site: string | null;
  /** Whether posts that only paying subscribers could read are imported too. */
  withPaid: boolean;
};

type ReadArchive =
  | { ok: true; of: "posts"; exported: PostExport }
  | { ok: true; of: "rows"; rows: IssueRow[]; format: RecordFormat }
  /** `message` is a sentence about the whole file. */
  | { ok: false; reason: "unreadable"; message: string }
  | { ok: false; reason: "problems"; problems: Problem[] };

/** Reads Substack's zip file, Ghost's JSON, or rows of `final_newsletters`; told apart by what is in the file. */
export async function readArchive(
  { name, bytes }: { name: string; bytes: Buffer },
  options: ExportOptions,
): Promise<ReadArchive> {
  if (fileKind(bytes) === "zip") {
    const zip = await openZip(bytes);
    return zip.ok
      ? await readSubstack(name, zip, options)
      : { ok: false, reason: "unreadable", message: unreadableZip(name, zip.why) };
  }
  const { text, fault } = decodeText(bytes);
  if (fault) {
    const { line, message } = fault;
    return { ok: false, reason: "problems", problems: [{ file: name, line, message }] };
  }
  const data = /^\s*\{/.test(text) ? findGhostData(text) : null;
  if (data) return { ok: true, of: "posts", exported: readGhost({ name, text, data }, options) };
  const { rows, format, problems } = readIssueRows({ name, text });
  return problems.length > 0
    ? { ok: false, reason: "problems", problems }
    : { ok: true, of: "rows", rows, format };
}

export async function readArchiveFolder(
  name: string,
  folder: string,
  options: ExportOptions,
): Promise<ReadArchive> {
  return await readSubstack(name, await openFolder(folder), options);
}

async function openFolder(folder: string): Promise<ZippedFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((name) => name.split(path.sep).join("/"));
  return {
    names,
    async read(name, maxBytes) {
      const file = path.join(folder, name);
      return (await stat(file)).size > maxBytes ? null : await readFile(file);
    },
  };
}

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

/** The list of posts; each body is beside it, in `posts/{post_id}.html`. */
const substackList = "posts.csv";

/** Largest file of an export that is read, in bytes: unpacked, whatever the packed size says. */
const fileMaxBytes = 50_000_000;

/**
 * Reads Substack's list, at the top or in the one folder that was packed: `post_id` is the number with the slug,
 * `123456.quotes-before-lunch`.
 */
async function readSubstack(
  name: string,
  files: ZippedFiles,
  { withPaid }: ExportOptions,
): Promise<ReadArchive> {
  const listAt = files.names.find((file) => path.posix.basename(file) === substackList);
  if (listAt === undefined) {
    const message = `${name}: holds no ${substackList}, as Substack's export does.`;
    return { ok: false, reason: "unreadable", message };
  }
  const root = listAt.slice(0, -substackList.length);
  const list = `${name}/${substackList}`;
  const slugInPath = (path: string) => /^\/p\/([^/]+)\/?$/.exec(path)?.[1] ?? null;
  const text = await readText(files, listAt);
  const { records, problems } =
    text === null
      ? { records: [], problems: [{ file: list, line: null, message: "is not UTF-8 text." }] }
      : readAllRecords({ name: list, text });
  if (problems.length > 0) {
    const exported: PostExport = { program: "Substack", slugInPath, posts: [], problems };
    return { ok: true, of: "posts", exported };
  }
  const read = await Array.fromAsync(records, async ({ line, fields }) => {
    const id = textOf(fields.post_id);
    const [number = "", ...slug] = id.split(".");
    const title = oneLine(textOf(fields.title));
    const publishDate = dayIn(textOf(fields.post_date));
    const omitted = omittedBySubstack(fields, withPaid);
    const body = `posts/${id}.html`;
    const isThere = files.names.includes(root + body);
    const html = isThere && omitted === null ? await readText(files, root + body) : "";
    const post: ExportedPost = {
      source: `substack:${number}`,
      slug: slug.join("."),
      title,
      publishDate,
      omitted,
      place: { file: list, line },
      html: html ?? "",
    };
    const faults = [
      !/^\d+(?:\.[\w.-]*)?$/.test(id) && "post_id is not a number with a slug.",
      title === "" && "title is missing.",
      publishDate === "" && "post_date is not a date.",
      !isThere && `${body} is missing.`,
      html === null && `${body} is damaged, too large or not UTF-8 text.`,
      html?.trim() === "" && `${body} is empty.`,
    ];
    return { post, fault: faults.find((fault) => fault !== false) ?? null };
  });
  return { ok: true, of: "posts", exported: sortOut("Substack", slugInPath, read) };
}

/** Text in UTF-8; null where it is too large or isn't that. */
async function readText(files: ZippedFiles, name: string): Promise<string | null> {
  const bytes = await files.read(name, fileMaxBytes);
  try {
    const text = bytes && new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text?.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

function omittedBySubstack(fields: Fields, withPaid: boolean): ExportedPost["omitted"] {
  if (textOf(fields.is_published).toLowerCase() !== "true") return "draft";
  // Threads and pages don't go out as issues.
  if (!["newsletter", "podcast", ""].includes(textOf(fields.type))) return "not a post";
  const isPaid = ["only_paid", "founding"].includes(textOf(fields.audience));
  return isPaid && !withPaid ? "for paying subscribers" : null;
}

/** Stands for the address of the site in Ghost's exports. */
const sitePlaceholder = "__GHOST_URL__";

/** The posts of Ghost's export, whose outermost object is `{ db: [{ data }] }` or `{ data }`; null where it isn't one. */
function findGhostData(text: string): Fields | null {
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
function readGhost(
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
      source: `ghost:${id}`,
      slug: textOf(fields.slug),
      html,
      title: oneLine(textOf(fields.title)),
      publishDate: dayOf(fields.published_at),
      omitted: omittedByGhost(fields, options),
      place: { file: name, line: lineOfId(text, id) },
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
  return dayIn(isBare ? `${text}Z` : text);
}

/** Empty where an issue can't have that date. */
function dayIn(text: string): string {
  const day = calendarDate(text);
  return day !== null && isPublishDate(day) ? day : "";
}

/** Returns null for a file of one line, in which a line number says nothing. */
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

export type IssueRow = { line: number; issue: ImportedIssue };

/** Reads rows of `final_newsletters` from CSV, JSON or NDJSON, with every problem in them; the id may be missing. */
function readIssueRows(file: { name: string; text: string }) {
  const { format, problems, records } = readAllRecords(file);
  const rows: IssueRow[] = [];
  if (problems.length > 0) return { format, problems, rows };
  const lineOfId = new Map<number, number>();
  for (const { line, fields } of records) {
    const { title, content_markdown: html, publish_date: date, id: given } = fields;
    const faults: string[] = [];
    if (typeof title !== "string" || title.trim() === "") faults.push("title is missing.");
    else if (title.trim().length > issueTitleMaxLength) {
      faults.push(`title is longer than ${issueTitleMaxLength} characters.`);
    }
    if (typeof html !== "string" || html.trim() === "") faults.push("content_markdown is missing.");
    else if (html.length > issueBodyMaxLength) {
      faults.push(`content_markdown is longer than ${issueBodyMaxLength} characters.`);
    }
    const publishDate = typeof date === "string" ? calendarDate(date) : null;
    if (publishDate === null) {
      const what = `publish_date ${shown(date)} is not a calendar date (YYYY-MM-DD).`;
      faults.push(date === null || date === undefined ? "publish_date is missing." : what);
    } else if (!isPublishDate(publishDate)) {
      faults.push(`publish_date ${shown(date)} is before 1990.`);
    }
    const id = given === null || given === undefined ? undefined : Number(given);
    if (id !== undefined && (!/^\d+$/.test(String(given)) || !Number.isSafeInteger(id) || id < 1)) {
      faults.push(`id ${shown(given)} is not a whole number from 1 up.`);
    }
    const earlier = lineOfId.get(id ?? 0);
    if (earlier !== undefined) faults.push(`id ${id} is on line ${earlier} already.`);
    if (id !== undefined) lineOfId.set(id, line);
    problems.push(...faults.map((message) => ({ file: file.name, line, message })));
    if (typeof title === "string" && typeof html === "string" && publishDate !== null) {
      rows.push({ line, issue: { id, title: title.trim(), html, publishDate } });
    }
  }
  return { format, problems, rows };
}

function shown(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 40);
}
