import { readAllRecords } from "../../records.ts";
import { calendarDate } from "../calendar-date.ts";
import type { ArchiveFiles } from "./archive-files.ts";
import type { Archive, ArchivedPost, ArchiveOptions } from "./archived-post.ts";

/** The list of posts in Substack's export; each body is beside it, in `posts/{post_id}.html`. */
export const substackList = "posts.csv";

/** What goes out as an issue; threads and pages don't. */
const issueTypes = new Set(["newsletter", "podcast"]);

type Fields = Record<string, unknown>;

/** Reads the list of Substack's export: `post_id` is the number with the slug, `123456.quotes-before-lunch`. */
export async function readSubstack(
  name: string,
  files: ArchiveFiles,
  { withPaid }: ArchiveOptions,
): Promise<Archive> {
  const list = `${name}/${substackList}`;
  const text = await files.read(substackList);
  const archive: Archive = { program: "Substack", slugInPath, posts: [], problems: [] };
  if (text === null) {
    archive.problems.push({ file: list, line: null, message: "is not UTF-8 text." });
    return archive;
  }
  const read = readAllRecords({ name: list, text });
  if (read.problems.length > 0)
    return { ...archive, problems: read.problems.map((problem) => ({ ...problem, file: list })) };
  for (const { line, fields } of read.records) {
    const place = { file: list, line };
    const omitted = omittedBecause(fields, withPaid);
    const id = textOf(fields.post_id);
    const title = textOf(fields.title);
    const publishDate = calendarDate(textOf(fields.post_date)) ?? "";
    const fault = omitted === null ? faultOf({ id, title, publishDate }) : null;
    if (fault) archive.problems.push({ ...place, message: fault });
    else archive.posts.push({ ...postOf(id, files), title, publishDate, omitted, place });
  }
  return archive;
}

function omittedBecause(fields: Fields, withPaid: boolean): ArchivedPost["omitted"] {
  if (textOf(fields.is_published).toLowerCase() !== "true") return "draft";
  if (!issueTypes.has(textOf(fields.type) || "newsletter")) return "not a post";
  const isPaid = ["only_paid", "founding"].includes(textOf(fields.audience));
  return isPaid && !withPaid ? "for paying readers" : null;
}

function faultOf({ id, title, publishDate }: { id: string; title: string; publishDate: string }) {
  if (!/^\d+(?:\.[\w.-]*)?$/.test(id)) return "post_id is not a number with a slug.";
  if (title === "") return "title is missing.";
  return publishDate === "" ? "post_date is not a date." : null;
}

function postOf(
  id: string,
  files: ArchiveFiles,
): Pick<ArchivedPost, "source" | "slug" | "readBody"> {
  const [number = "", ...slug] = id.split(".");
  return {
    source: `substack:${number}`,
    slug: slug.join("."),
    async readBody() {
      const file = `posts/${id}.html`;
      const html = files.names.has(file) ? await files.read(file) : undefined;
      if (html === undefined) return { ok: false, message: `${file} is missing.` };
      if (html === null)
        return { ok: false, message: `${file} is damaged, too large or not UTF-8 text.` };
      return html.trim() === "" ? { ok: false, message: `${file} is empty.` } : { ok: true, html };
    },
  };
}

/** `/p/quotes-before-lunch`, at an address of Substack's or of one's own. */
function slugInPath(path: string): string | null {
  return /^\/p\/([^/]+)\/?$/.exec(path)?.[1] ?? null;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}
