import {
  createContext,
  data,
  type LoaderFunctionArgs,
  type RouterContextProvider,
  redirectDocument,
  type ServerBuild,
} from "react-router";
import type { SiteSettings } from "#content/site-settings.ts";
import { readHour } from "#content/toronto-time.ts";
import type { OpenDatabase } from "#db/database-handle.ts";
import { isDatabaseAway, isDiskFull } from "#db/describe-causes.ts";
import type { createHealth } from "#server/health/examine.ts";
import { declarations } from "#settings/setting-declarations.ts";
import type { Config, ReadSettings } from "#settings/settings.ts";

export type Desk = ReadSettings & {
  store: OpenDatabase;
  settings: SiteSettings;
  environment: Record<string, string | undefined>;
  now: () => Date;
  lookAround: ReturnType<typeof createHealth>;
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
  /** By passkey. */
  signedInAt?: string;
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

/** The hour that a sheet for publishing chose; null for now. */
export function hourOf(form: FormData) {
  const when = String(form.get("when") ?? "");
  return readHour(when === "hour" ? String(form.get("at") || when) : when);
}

const pageRows = 50;

/**
 * The part of a list that an address asks for, `?page=2` or `?before=ID` beside `find`. One row more is read, to know
 * whether the list goes on.
 */
export function partOf({ request }: PageArgs) {
  const asked = new URL(request.url).searchParams;
  const page = readId(asked.get("page")) ?? 1;
  return {
    ...{ asked, page, find: asked.get("find") ?? "", before: readId(asked.get("before")) },
    ...{ limit: pageRows + 1, offset: (page - 1) * pageRows },
  };
}

/** The rows to show, and the address of the part after them: `before` the last row's id, or the next page. */
export function rowsOf<Row>(
  found: Row[],
  { asked, page }: Pick<ReturnType<typeof partOf>, "asked" | "page">,
  idOfRow?: (row: Row) => number,
) {
  const rows = found.slice(0, pageRows);
  const last = rows.at(-1);
  const next = new URLSearchParams(asked);
  if (idOfRow && last) next.set("before", String(idOfRow(last)));
  else next.set("page", String(page + 1));
  return { rows, older: found.length > pageRows ? `?${next}` : null };
}

/** The desk for who is signed in, with the moment of the request. */
export function deskOf({ context }: Pick<PageArgs, "context">) {
  const desk = context.get(deskContext);
  const { visitor, store, now } = desk;
  if (!visitor) throw new Response(null, { status: 401 });
  return { ...desk, visitor, db: store.db, now: now() };
}

/** Erasing, taking data away, restoring and letting others in ask for a passkey that was shown within an hour. */
const graveIntents = new Set(["erase", "erase message", "erase messages", "invite", "make link"]);
const download = /\/(?:[^/]+\/file|export\.csv|evidence\.json)$/;

async function askPasskeyAgain({ request, context }: LoaderFunctionArgs): Promise<void> {
  const { visitor, now } = context.get(deskContext);
  if (!visitor?.signedInAt || now().getTime() - Date.parse(visitor.signedInAt) < 60 * 60_000)
    return;
  // A form that the router sends asks for the page's data.
  const pathname = new URL(request.url).pathname.replace(/\.data$/, "");
  const isDownload = request.method === "GET" && download.test(pathname);
  if (!isDownload && !(await isGrave(request, pathname))) return;
  const to = isDownload ? pathname.replace(download, "") : pathname;
  throw redirectDocument(`/enter?${new URLSearchParams({ to, again: "" })}`);
}

async function isGrave(request: Request, pathname: string): Promise<boolean> {
  const hasSuchForms = /^\/(?:people|backups|(?:messages|subscribers)(?:\/\d+)?)$/.test(pathname);
  if (request.method !== "POST" || !hasSuchForms) return false;
  const intent = String((await request.clone().formData()).get("intent"));
  return graveIntents.has(intent) || (pathname === "/backups" && intent === "restore");
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
      await askPasskeyAgain(args);
      return await work(args);
    } catch (error) {
      const status = isDiskFull(error) ? 507 : isDatabaseAway(error) ? 503 : null;
      if (status === null) throw error;
      args.context.get(deskContext).reportError(error);
      throw data(null, { status });
    }
  };
}

/** Where the owner's own mail goes; empty while that is an example. */
export function ownMailbox({ contactTo }: Config): string {
  return contactTo === declarations.SITE_EMAIL.default ? "" : contactTo;
}
