import { hash } from "node:crypto";
import { type ReactNode, useEffect, useRef, useState } from "react";
import {
  isRouteErrorResponse,
  Links,
  type LinksFunction,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
} from "react-router";
import { nameOfNewsletter } from "#content/own-words.ts";
import { notFound } from "#content/pages/not-found.ts";
import { feedPath, languageTag } from "#content/site.ts";
import { consentText } from "#content/subscribe-form.ts";
import { formatLongDate, torontoYear } from "#content/toronto-time.ts";
import { iconPath } from "#contracts/icons.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import type { Route } from "./+types/root";
import archivo from "./fonts/generated/archivo.woff2?url";
import archivoWide from "./fonts/generated/archivo-wide.woff2?url";
import plexMono from "./fonts/generated/plex-mono-500.woff2?url";
import { Failure, NotFound } from "./sections/error-pages.tsx";
import { SiteFooter, SiteHeader } from "./sections/site-frame.tsx";
import { businessStructuredData, websiteStructuredData } from "./seo/page-meta.ts";
import { type SiteFacts, useSiteFactsIfLoaded } from "./site-facts.ts";
import { siteContext } from "./site-services.ts";
import { tellPage } from "./tell-visit.ts";
import { NoticesProvider } from "./ui/notices.tsx";

export const links: LinksFunction = () => [
  ...[archivo, archivoWide, plexMono].map((href) => ({
    rel: "preload",
    href,
    as: "font",
    type: "font/woff2",
    crossOrigin: "anonymous" as const,
  })),
  { rel: "manifest", href: "/manifest.webmanifest" },
];

const feeds = [
  { type: "application/rss+xml", format: "RSS", href: feedPath.rss },
  { type: "application/atom+xml", format: "Atom", href: feedPath.atom },
  { type: "application/feed+json", format: "JSON Feed", href: feedPath.json },
];

export function loader({ context }: Route.LoaderArgs): SiteFacts {
  const now = new Date();
  const { settings } = context.get(siteContext);
  return {
    settings,
    wordingHash: hash("sha256", consentText({ ...settings, siteName: settings.name })),
    today: formatLongDate(now),
    year: torontoYear(now),
  };
}

/** Set by the page that is shown, in the browser alone. */
let shownDay: string | undefined;

/** The date and the year are today's, in a tab opened yesterday too. */
export function shouldRevalidate() {
  return shownDay !== undefined && shownDay !== formatLongDate(new Date());
}

export function Layout({ children }: { children: ReactNode }) {
  const facts = useSiteFactsIfLoaded();
  return (
    <html lang={languageTag}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="theme-color" content="#eef2e9" />
        <Meta />
        <Links />
        {import.meta.env.DEV && <link rel="stylesheet" href="/app/styles/app.css" />}
        <IconLinks logo={facts?.settings.logo} />
        {facts &&
          feeds.map(({ type, format, href }) => (
            <link
              key={type}
              rel="alternate"
              type={type}
              title={`${nameOfNewsletter(facts.settings)} (${format})`}
              href={href}
            />
          ))}
        {facts && structuredDataScripts(facts.settings)}
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

function IconLinks({ logo }: { logo: string | undefined }) {
  if (!logo) {
    return (
      <>
        <link rel="icon" href={iconPath.classic} sizes="32x32" />
        <link rel="icon" href={iconPath.vector} type="image/svg+xml" />
        <link rel="apple-touch-icon" href={iconPath.appleTouch} />
      </>
    );
  }
  return (
    <>
      <link rel="icon" href={logo} />
      {logo.endsWith("png") && <link rel="apple-touch-icon" href={logo} />}
    </>
  );
}

export default function Root() {
  return (
    <PageFrame>
      <Outlet />
    </PageFrame>
  );
}

/**
 * An unknown address inside the usual frame. A failure without it: drawn again, a frame that has thrown throws again,
 * for ever.
 */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const facts = useSiteFactsIfLoaded();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  if (!isMissing || !facts) return <Failure name={facts?.settings.name} />;
  return (
    <PageFrame>
      {/* The route's own head is missing after its loader threw. */}
      <title>{`${notFound.head.title} | ${facts.settings.name}`}</title>
      <meta name="robots" content="noindex" />
      <NotFound />
    </PageFrame>
  );
}

function PageFrame({ children }: { children: ReactNode }) {
  const { key } = useLocation();
  const today = useSiteFactsIfLoaded()?.today;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page that is shown.
  useEffect(tellPage, [key]);
  useEffect(() => {
    shownDay = today;
  }, [today]);
  const { main, announced } = useFocusOnNewPage();
  return (
    <NoticesProvider>
      <a className="button button-ink skip-link" href="#main">
        Skip to the content
      </a>
      <SiteHeader />
      <main id="main" tabIndex={-1} ref={main}>
        {children}
      </main>
      <SiteFooter />
      <p className="sr-only" aria-live="polite">
        {announced}
      </p>
    </NoticesProvider>
  );
}

/** After a followed link, focus is at the new page's start, and screen readers are told its title. */
function useFocusOnNewPage() {
  const { pathname, hash } = useLocation();
  const main = useRef<HTMLElement>(null);
  const shownPath = useRef(pathname);
  const [announced, setAnnounced] = useState("");
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    setAnnounced(document.title);
    // A page may have put it on its own notice or field.
    const isInPage = main.current?.contains(document.activeElement);
    if (!hash && !isInPage) main.current?.focus({ preventScroll: true });
  }, [pathname, hash]);
  return { main, announced };
}

function structuredDataScripts(settings: SiteSettings) {
  const nodes = [websiteStructuredData(settings), businessStructuredData(settings)];
  return nodes.map((data) => {
    const json = JSON.stringify({ "@context": "https://schema.org", ...data });
    return (
      <script
        key={String(data["@type"])}
        type="application/ld+json"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON of our own settings, with "<" escaped.
        dangerouslySetInnerHTML={{ __html: json.replaceAll("<", "\\u003c") }}
      />
    );
  });
}
