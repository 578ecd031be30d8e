import type { Kysely } from "kysely";
import {
  createContext,
  data,
  type LoaderFunctionArgs,
  type RouterContextProvider,
  type ServerBuild,
} from "react-router";
import type { SiteSettings } from "#content/site-settings.ts";
import type { OpenDatabase } from "#db/database-handle.ts";
import { isDatabaseAway, isDiskFull } from "#db/describe-causes.ts";
import type { Database } from "#db/tables.ts";
import type { ConfigResult } from "#settings/settings.ts";

type ReadSettings = Extract<ConfigResult, { ok: true }>;

export type Desk = ReadSettings & {
  store: OpenDatabase;
  settings: SiteSettings;
  environment: Record<string, string | undefined>;
  now: () => Date;
  /** Takes over what has just been set at this desk, before the next look does. */
  lookAtSettings: () => Promise<void>;
  /** Makes a page of the public site that shows `issue` beside those of the archive, as HTML without scripts. */
  makeIssuePage: (issue: PreviewedIssue) => Promise<string>;
  /** Makes a page of the public site with these words of the owner's, as HTML without scripts. */
  makeSitePage: (path: string, words: SiteSettings["words"]) => Promise<string>;
  reportError: (error: unknown) => void;
};

/** `id` is null for an issue that isn't published. */
export type PreviewedIssue = {
  id: number | null;
  title: string;
  publishDate: string;
  html: string;
};

/** Somebody at the desk. Whoever opened the printed link has no `id`. */
export type Visitor = {
  id: number | null;
  name: string;
  /** Invites and removes others: whoever was invited first, or opened the printed link. */
  isFirst: boolean;
  session: string | null;
};

export const deskContext = createContext<Desk & { nonce: string; visitor: Visitor | null }>();

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

const partRows = 50;

type Part = { limit: number; offset: number };

/** The part of a list that an address asks for, `?page=2`, and a row more, which says that it goes on. */
export function partOf({ url }: Request): Part {
  const page = readId(new URL(url).searchParams.get("page")) ?? 1;
  return { limit: partRows + 1, offset: (page - 1) * partRows };
}

export function inParts<Row>(rows: Row[], { limit, offset }: Part) {
  const isFirst = limit <= partRows;
  const next = isFirst ? 1 : offset / partRows + 2;
  return { rows: rows.slice(0, limit - 1), next: rows.length >= limit ? next : null };
}

export function deskOf({ context }: Pick<PageArgs, "context">): Desk & {
  db: Kysely<Database>;
  visitor: Visitor;
} {
  const desk = context.get(deskContext);
  const { visitor } = desk;
  if (!visitor) throw new Response(null, { status: 401 });
  return { ...desk, visitor, db: desk.store.db };
}

type Work = (args: LoaderFunctionArgs) => unknown;

/** Has every page answer 507 (RFC 4918) for a full disk and 503 for no database, which the browser says in words. */
export function withOutages(routes: ServerBuild["routes"]): ServerBuild["routes"] {
  return Object.fromEntries(
    Object.entries(routes).map(([id, route]) => {
      if (!route || id === "root") return [id, route];
      const { loader, action, ...module } = route.module;
      const guarded = {
        ...module,
        ...(loader && { loader: guard(loader) }),
        ...(action && { action: guard(action) }),
      };
      return [id, { ...route, module: guarded }];
    }),
  );
}

function guard(work: Work): Work {
  return async (args) => {
    try {
      return await work(args);
    } catch (error) {
      const status = isDiskFull(error) ? 507 : isDatabaseAway(error) ? 503 : null;
      if (status === null) throw error;
      args.context.get(deskContext).reportError(error);
      throw data(null, { status });
    }
  };
}
