/** A post of another program's archive, with its body still in the file. */
export type ArchivedPost = {
  /** `substack:1234`, `ghost:60710b90705967038fe662d6`: the same however often it is exported. */
  source: string;
  title: string;
  slug: string;
  /** The day in Toronto, `YYYY-MM-DD`; empty where `omitted`. */
  publishDate: string;
  /** Why it stays out: what isn't published, isn't an issue, or wasn't for everybody. */
  omitted: "draft" | "not a post" | "for paying readers" | null;
  place: ArchivePlace;
  /** Its HTML, or what is wrong with it in a sentence. */
  readBody: () => Promise<{ ok: true; html: string } | { ok: false; message: string }>;
};

type ArchivePlace = { file: string; line: number | null };

export type Archive = {
  /** As the operator knows it. */
  program: "Substack" | "Ghost";
  /** The slug in the path of a post's published address; null where the path is none of a post. */
  slugInPath: (path: string) => string | null;
  posts: ArchivedPost[];
  /** Posts that can't be taken, each with where it stands. */
  problems: (ArchivePlace & { message: string })[];
};

export type ArchiveOptions = {
  /** The published address of the other site, for what the export leaves open. */
  site: string | null;
  /** Whether posts that only paying readers could read are taken too. */
  withPaid: boolean;
};
