import { data, type LoaderFunctionArgs, type ServerBuild } from "react-router";
import { isDatabaseAway, isDiskFull } from "#db/describe-causes.ts";
import { deskContext } from "./desk-context.ts";

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
