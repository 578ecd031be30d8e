import type { Kysely } from "kysely";
import { createContext, type RouterContextProvider } from "react-router";
import type { SiteSettings } from "#contracts/site-settings.ts";
import type { Database } from "#db/tables.ts";
import type { ConfigResult } from "#settings/settings.ts";

type ReadSettings = Extract<ConfigResult, { ok: true }>;

export type Desk = ReadSettings & {
  /** Null where a hosted project stores everything. */
  store: { db: Kysely<Database>; kind: "sqlite" | "postgres"; location: string } | null;
  settings: SiteSettings;
  environment: Record<string, string | undefined>;
  now: () => Date;
  /** Makes a page of the public site that shows `issue` beside those of the archive, as HTML without scripts. */
  makeIssuePage: (issue: PreviewedIssue) => Promise<string>;
  /** Makes a page of the public site with these words of the owner's, as HTML without scripts. */
  makeSitePage: (path: string, words: SiteSettings["words"]) => Promise<string>;
  wakeImports: () => void;
  reportError: (error: unknown) => void;
};

/** `id` is null for an issue that isn't published. */
export type PreviewedIssue = {
  id: number | null;
  title: string;
  publishDate: string;
  html: string;
};

export const deskContext = createContext<Desk & { nonce: string }>();

export type PageArgs = {
  request: Request;
  params: Record<string, string | undefined>;
  context: Readonly<RouterContextProvider>;
};

/** An id from an address or a form; undefined for what no row can have, such as "abc". */
export function readId(text: unknown): number | undefined {
  const id = /^[1-9]\d{0,9}$/.test(String(text)) ? Number(text) : 0;
  // Larger ones are an error to PostgreSQL, if a table of issues was made with 32-bit ids.
  return id > 0 && id < 2 ** 31 ? id : undefined;
}

/** The id that a page's address names; a 404 for what no row can have. */
export function idOf({ params }: Pick<PageArgs, "params">, name = "id"): number {
  const id = readId(params[name]);
  if (id === undefined) throw new Response(null, { status: 404 });
  return id;
}

/** The desk of a request. Every page but the first needs the site's own database. */
export function deskOf({ context }: Pick<PageArgs, "context">): Desk & {
  db: Kysely<Database>;
} {
  const desk = context.get(deskContext);
  if (!desk.store) throw new Response(null, { status: 302, headers: { Location: "/" } });
  return { ...desk, db: desk.store.db };
}
