import { data, type LoaderFunctionArgs, type ServerBuild } from "react-router";
import { isDatabaseAway, isDiskFull } from "#db/describe-causes.ts";
import { recordDeed } from "#operator/desk-people.ts";
import { deskContext } from "./desk-context.ts";
import type { Answer } from "./ui.tsx";

/** What a writer may open. A page that isn't named here is an owner's. */
const writersPages = new Set(
  [
    ...["today", "messages", "message", "issues", "issue", "editor", "plan", "save", "pictures"],
    ...["preview", "subscribers", "subscriber", "import", "send", "words", "people"],
    ...["enter", "add-subscriber"],
    "words-preview",
  ].map((name) => `pages/${name}`),
);

/** What an owner alone does on those pages. */
const ownersDeeds = new Set(["erase", "restore", "invite", "remove person"]);

/** Pages that hand something out. Every other deed is a post. */
const handedOut: Readonly<Record<string, string>> = {
  "pages/export": "export",
  "pages/evidence": "save the evidence",
  "pages/backup-file": "download",
};

const refusal: Answer = { ok: false, problems: ["Only an owner can do that."] };

type Routes = ServerBuild["routes"];
type Module = NonNullable<Routes[string]>["module"];

/**
 * Puts a check and a line of the ledger around every page's loader and action, so that no page can forget them. A deed is
 * named by its button, and what it was done on by its page's path.
 */
export function withDeeds(routes: Routes): Routes {
  return Object.fromEntries(
    Object.entries(routes).map(([id, route]) => {
      if (!route || id === "root") return [id, route];
      return [id, { ...route, module: guarded(id, route.module) }];
    }),
  );
}

function guarded(id: string, module: Module): Module {
  const { loader, action } = module;
  const isWriters = writersPages.has(id);
  return {
    ...module,
    ...(loader && {
      async loader(args: LoaderFunctionArgs) {
        if (roleOf(args) !== "owner" && !isWriters) throw data(null, { status: 403 });
        const answer = await done(args, loader);
        const deed = handedOut[id];
        // A HEAD asks about it, and is handed nothing.
        if (deed && args.request.method !== "HEAD") await record(args, deed);
        return answer;
      },
    }),
    ...(action && {
      async action(args: LoaderFunctionArgs) {
        const deed = await deedOf(args.request, id);
        const isOwners = !isWriters || ownersDeeds.has(deed ?? "");
        if (roleOf(args) !== "owner" && isOwners) return data(refusal, { status: 403 });
        const answer = await done(args, action);
        if (deed && isDone(answer)) await record(args, deed);
        return answer;
      },
    }),
  };
}

/** A page's work. No room on the disk (507, RFC 4918) or no database (503) is said in words in the browser. */
async function done(
  args: LoaderFunctionArgs,
  work: (args: LoaderFunctionArgs) => unknown,
): Promise<unknown> {
  try {
    return await work(args);
  } catch (error) {
    const status = isDiskFull(error) ? 507 : isDatabaseAway(error) ? 503 : null;
    if (status === null) throw error;
    args.context.get(deskContext).reportError(error);
    throw data(null, { status });
  }
}

function roleOf({ context }: LoaderFunctionArgs) {
  return context.get(deskContext).visitor.role;
}

/** The form's button; null where nothing but a draft's words is saved. A list's form has no other deed. */
async function deedOf(request: Request, id: string): Promise<string | null> {
  const type = request.headers.get("Content-Type") ?? "";
  // A backup may be larger than the memory, and a list of 64 MB is not read twice.
  if (id === "pages/backup-upload") return "upload";
  if (id === "pages/import" && /^multipart\/form-data\b/i.test(type)) return "upload";
  // Read as the action reads it, so that no other way to write a form hides its button.
  const form = await request
    .clone()
    .formData()
    .catch(() => null);
  const deed = form?.get("intent");
  return typeof deed === "string" && /^[a-z ]{1,40}$/.test(deed) ? deed : null;
}

function isDone(answer: unknown): boolean {
  if (answer instanceof Response) return answer.status < 400;
  const { data: value = answer, init } = (answer ?? {}) as { data?: unknown; init?: ResponseInit };
  return (init?.status ?? 200) < 400 && (value as Partial<Answer> | null)?.ok !== false;
}

async function record({ context, request }: LoaderFunctionArgs, deed: string): Promise<void> {
  const { store, visitor, now, reportError } = context.get(deskContext);
  const about = new URL(request.url).pathname.slice(1).replace(/\.data$/, "");
  // The deed is done, so its answer must not be an error.
  await recordDeed(store.db, { person: visitor.name, deed, about }, now()).catch(reportError);
}
