import { useContext, useEffect, useState } from "react";
import {
  UNSAFE_DataRouterContext as DataRouterContext,
  UNSAFE_FrameworkContext as FrameworkContext,
  useLocation,
} from "react-router";
import belowIssue from "./newsletter/late/below-issue.css?url";
import richIssue from "./newsletter/late/rich-issue.css?url";
import { tellPage } from "./tell-visit.ts";
import noticeStyles from "./ui/notices.css?url";
import { fetchStyles } from "./ui/own-styles.tsx";

/** A pointer that only crosses a link on its way rests there for less than this. */
const restMs = 65;

/**
 * Asks for the scripts, the styles and the data of the page behind a link as soon as a visitor seems about to follow
 * it: the pointer rests on it, a finger touches it, or the keyboard's focus comes to it. The click then finds them in
 * the browser's cache. The router's own `prefetch` runs the page's module at once, reloads this page where that can't
 * be had, and leaves out the styles; these are hints only, and one that fails changes nothing.
 */
export function PrefetchOnIntent() {
  // A visitor who has arrived may want to go back, for which the same page is asked for anew; and is told of.
  return <IntendedPage key={useLocation().key} />;
}

function IntendedPage() {
  const [href, setHref] = useState<string | null>(null);
  useEffect(tellPage, []);
  useEffect(() => (savesData() ? undefined : followIntent(setHref)), []);
  // Those that no page lists, since a form brings them with it.
  useEffect(() => (href === null ? undefined : fetchStyles(noticeStyles)), [href]);
  return href === null ? null : <PageParts key={href} href={href} />;
}

function PageParts({ href }: { href: string }) {
  const dataRouter = useContext(DataRouterContext);
  const framework = useContext(FrameworkContext);
  const [parts] = useState(() => {
    const { pathname, search } = new URL(href);
    const matches = dataRouter?.router.match(pathname + search) ?? [];
    const routes = matches.flatMap(({ route }) => framework?.manifest.routes[route.id] ?? []);
    // The root is on every page.
    return partsOf(
      routes.filter(({ parentId }) => parentId),
      href,
    );
  });
  return (
    <>
      {parts.modules.map((module) => (
        <link key={module} rel="modulepreload" href={module} />
      ))}
      {parts.styles.map((styles) => (
        <link key={styles} rel="prefetch" as="style" href={styles} />
      ))}
      {parts.data && <link rel="prefetch" as="fetch" href={parts.data} />}
    </>
  );
}

/** As React Router's list of routes has it, as far as it is used. */
type RouteFiles = {
  id: string;
  module: string;
  clientLoaderModule?: string;
  imports?: string[];
  css?: string[];
  hasLoader: boolean;
};

/** What no page lists either, since a page with an issue brings them with it. */
const ofIssues = [belowIssue, richIssue];

function partsOf(routes: RouteFiles[], href: string) {
  const modules = routes.flatMap(({ module, clientLoaderModule, imports = [] }) => [
    module,
    ...(clientLoaderModule ? [clientLoaderModule] : []),
    ...imports,
  ]);
  const styles = routes
    .flatMap(({ id, css = [] }) => (id.startsWith("newsletter/") ? [...css, ...ofIssues] : css))
    .filter((file) => !document.querySelector(`link[rel="stylesheet"][href="${file}"]`));
  const loading = routes.filter(({ hasLoader }) => hasLoader).map(({ id }) => id);
  const data =
    loading.length > 0 && href !== window.location.href ? dataAddress(href, loading) : null;
  return { modules: [...new Set(modules)], styles, data };
}

/** Where the router asks for the data of these routes, word for word, so that its request finds the answer kept. */
function dataAddress(href: string, routeIds: string[]): string {
  const { pathname, searchParams } = new URL(href);
  searchParams.set("_routes", routeIds.join(","));
  return `${pathname}.data?${searchParams}`;
}

function savesData(): boolean {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData === true;
}

/** Calls back with the address of each link that a visitor seems about to follow. Answers how to stop. */
function followIntent(intend: (href: string) => void): () => void {
  let pending: ReturnType<typeof setTimeout> | undefined;
  const stop = new AbortController();
  function consider(event: Event) {
    clearTimeout(pending);
    // What React Router marks so is a link of its own, to a page of this site.
    const link = event.target instanceof Element && event.target.closest("a[data-discover]");
    if (!(link instanceof HTMLAnchorElement)) return;
    const isTouched = event instanceof PointerEvent && event.pointerType === "touch";
    pending = setTimeout(intend, isTouched ? 0 : restMs, link.href.replace(/#.*/, ""));
  }
  for (const type of ["pointerover", "focusin"]) {
    document.addEventListener(type, consider, { passive: true, signal: stop.signal });
  }
  document.addEventListener("click", () => clearTimeout(pending), { signal: stop.signal });
  return () => {
    clearTimeout(pending);
    stop.abort();
  };
}
