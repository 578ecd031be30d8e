import { type Kysely, sql } from "kysely";

/** Sends were once composed when they were queued: the preview line that one was given is in its mail alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: number; html: string; words: string; own: string | null }>`
    select sends.id, html, plain_text as words, issue_preheaders.preheader as own from sends
    left join issue_preheaders on issue_preheaders.issue_id = sends.issue_id
    where begun_at is null and ended_at is null and sends.preheader is null and html <> ''`.execute(
    db,
  );
  for (const { id, html, words, own } of rows) {
    const [, written = ""] = /<div class="preheader"[^>]*>([^<]*?)&#847;/.exec(html) ?? [];
    const preheader = written.replace(/&(?:amp|lt|gt|quot|#39);/g, (sign) => signs[sign] ?? sign);
    // Without one, the mail repeats its first words.
    const isGiven = !words.replace(/\s+/g, " ").includes(preheader.replace(/…$/, ""));
    if (isGiven && preheader !== own)
      await sql`update sends set preheader = ${preheader} where id = ${id}`.execute(db);
  }
}

const signs: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};
