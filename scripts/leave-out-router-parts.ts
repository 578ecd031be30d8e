import type { Plugin } from "vite";

/** A place in one of React Router's own modules, as it is published, and what stands there instead. */
type Cut = { module: string; text: string; instead: string; places?: number };

const router = "lib/router/router.js";
const links = "lib/dom/lib.js";
const discovery = "lib/dom/ssr/fog-of-war.js";
const documentParts = "lib/dom/ssr/components.js";
const hydration = "lib/dom-export/hydrated-router.js";

/**
 * What the browser never runs on this site, though nothing in the code says so. Each cut removes the one use of
 * something larger, which the bundler then finds unused.
 */
const cuts: Cut[] = [
  // No page passes instrumentations to the router.
  { module: router, text: "if (init.instrumentations)", instead: "if (false)", places: 2 },
  {
    module: router,
    text: "consumeInstrumentationClientResultMetaReceiver(router)",
    instead: "void 0",
    places: 2,
  },
  // Every route is in the first page's list (react-router.config.ts), so none is asked for later.
  {
    module: discovery,
    text: "if (!isFogOfWarEnabled(routeDiscovery, ssr)) return;",
    instead: "return;",
  },
  {
    module: discovery,
    text: "if (!isFogOfWarEnabled(routeDiscovery, ssr) || window.navigator?.connection?.saveData === true) return;",
    instead: "return;",
  },
  { module: documentParts, text: "isFogOfWarEnabled(routeDiscovery, ssr)", instead: "false" },
  // No page is made of server components.
  { module: documentParts, text: "useIsRSCRouterContext()", instead: "false", places: 2 },
  // No page uses fetchers, blockers or revalidators (`unavailable`): forms navigate, or call the backend themselves.
  { module: router, text: "\n\t\tfetch,\n\t\trevalidate,\n", instead: "\n" },
  {
    module: router,
    text: "\n\t\tgetBlocker,\n\t\tdeleteBlocker,\n\t\tpatchRoutes,\n",
    instead: "\n",
  },
  // The site has its own way to ask for a page ahead (app/prefetch-on-intent.tsx).
  { module: links, text: "usePrefetchBehavior(prefetch, rest)", instead: "[false, null, {}]" },
  { module: links, text: "return shouldPrefetch && !isAbsolute ?", instead: "return false ?" },
  { module: documentParts, text: "isPageLinkDescriptor(link) ?", instead: "false ?" },
  // Every page is rendered by the server.
  { module: hydration, text: "if (ssrInfo.context.isSpaMode) {", instead: "if (false) {" },
  // Hot reload is for development, which is served without this plugin.
  { module: router, text: "\n\t\t_internalSetRoutes,\n", instead: "\n" },
  {
    module: hydration,
    text: "router.createRoutesForHMR = UNSAFE_createClientRoutesWithHMRRevalidationOptOut;",
    instead: "",
  },
];

/** What no longer works in the browser without the parts that are left out. */
const unavailable =
  /\b(?:useFetchers?|useBlocker|usePrompt|useRevalidator|PrefetchPageLinks|patchRoutes)\b|\bprefetch=/;

/** Leaves out of the browser's scripts what `cuts` lists. Throws where the router's sources no longer read so. */
export function leaveOutRouterParts(): Plugin {
  const met = new Set<string>();
  return {
    name: "leave-out-router-parts",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    transform(code, id) {
      const used = id.includes("/app/") && unavailable.exec(code);
      if (used) this.error(`${id} uses ${used[0]}, which is left out of the browser's scripts.`);
      const own = cuts.filter(({ module }) =>
        id.endsWith(`/react-router/dist/production/${module}`),
      );
      if (own.length === 0) return null;
      for (const { module } of own) met.add(module);
      return { code: own.reduce(cut, code), map: null };
    },
    buildEnd(error) {
      const missed = cuts.filter(({ module }) => !met.has(module)).map(({ module }) => module);
      if (!error && missed.length > 0) this.error(`React Router has no ${[...new Set(missed)]}.`);
    },
  };
}

function cut(code: string, { module, text, instead, places = 1 }: Cut): string {
  const parts = code.split(text);
  if (parts.length !== places + 1) {
    throw new Error(
      `${module} has "${text.trim()}" ${parts.length - 1} times instead of ${places}.`,
    );
  }
  return parts.join(instead);
}
