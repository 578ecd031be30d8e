import { hash } from "node:crypto";
import { type ReactNode, useContext } from "react";
import {
  isRouteErrorResponse,
  Links,
  type LinksFunction,
  Meta,
  Outlet,
  useRouteLoaderData,
} from "react-router";
import { nameOfNewsletter } from "#content/own-words.ts";
import { notFound } from "#content/pages/not-found.ts";
import { callsToAction, feedPath, languageTag } from "#content/site.ts";
import type { SiteSettings } from "#content/site-settings.ts";
import { consentText } from "#content/subscribe-form.ts";
import { formatLongDate, torontoYear } from "#content/toronto-time.ts";
import type { Route } from "./+types/root";
import firstHand from "./alive/first-hand.js?inline";
import { InlineScript, PageScriptsContext } from "./alive/inline-script.tsx";
import archivo from "./fonts/generated/archivo.woff2?url";
import archivoWide from "./fonts/generated/archivo-wide.woff2?url";
import plexMono from "./fonts/generated/plex-mono-500.woff2?url";
import { WidgetTemplate } from "./scheduling/booking-button.tsx";
import { Failure, NotFound } from "./sections/error-pages.tsx";
import { SiteFooter, SiteHeader } from "./sections/site-frame.tsx";
import { businessStructuredData, websiteStructuredData } from "./seo/page-meta.ts";
import { FactsContext, factsId, type SiteFacts } from "./site-facts.ts";
import { siteContext } from "./site-services.ts";

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

export function Layout({ children }: { children: ReactNode }) {
  const facts = useRouteLoaderData<SiteFacts>("root") ?? null;
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
        {facts && (
          <link
            rel="alternate"
            type="application/rss+xml"
            title={nameOfNewsletter(facts.settings)}
            href={feedPath}
          />
        )}
        {facts && structuredDataScripts(facts.settings)}
        {facts && <FirstHand />}
      </head>
      <body>
        <FactsContext value={facts}>
          {children}
          {facts && <WidgetTemplate />}
        </FactsContext>
        {facts && <Data type="application/json" id={factsId} data={factsOfPieces(facts)} />}
      </body>
    </html>
  );
}

/** Pieces need no page's sentences. */
function factsOfPieces(facts: SiteFacts): SiteFacts {
  const { words, ...settings } = facts.settings;
  if (!words) return facts;
  const shown = Object.entries(words).filter(([name]) => !name.includes("#"));
  return { ...facts, settings: { ...settings, words: Object.fromEntries(shown) } };
}

function IconLinks({ logo }: { logo: string | undefined }) {
  const touchIcon = logo ? logo.endsWith("png") && logo : "/apple-touch-icon.png";
  return (
    <>
      {!logo && <link rel="icon" href="/favicon.ico" sizes="32x32" />}
      <link rel="icon" href={logo ?? "/favicon.svg"} type={logo ? undefined : "image/svg+xml"} />
      {touchIcon && <link rel="apple-touch-icon" href={touchIcon} />}
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

/** A failure shows without the frame, which might throw again for ever. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const facts = useContext(FactsContext);
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
  return (
    <>
      <a className="button button-ink skip-link" href="#main">
        Skip to the content
      </a>
      <SiteHeader />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <SiteFooter />
      <form id="booking" action={callsToAction.call.path} />
    </>
  );
}

/** A link that is pointed at or pressed is fetched ahead. */
const linksAhead =
  '{"prefetch":[{"where":{"selector_matches":"a[href^=\'/\']:not([href*=from-issue])"},"eagerness":"moderate"}]}';

/** Pieces without a route have no hot reload. */
const withoutHotReload =
  "window.__vite_plugin_react_preamble_installed__=true;$RefreshReg$=()=>{};$RefreshSig$=()=>(type)=>type;";

function FirstHand() {
  const { alive } = useContext(PageScriptsContext);
  const code = import.meta.env.DEV ? withoutHotReload + firstHand : firstHand;
  return (
    <>
      <InlineScript code={code} data-alive={alive} />
      <InlineScript type="speculationrules" code={linksAhead} />
    </>
  );
}

function structuredDataScripts(settings: SiteSettings) {
  const nodes = [websiteStructuredData(settings), businessStructuredData(settings)];
  return nodes.map((node) => (
    <Data
      key={String(node["@type"])}
      type="application/ld+json"
      data={{ "@context": "https://schema.org", ...node }}
    />
  ));
}

function Data({ data, ...attributes }: { type: string; id?: string; data: object }) {
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  // biome-ignore lint/security/noDangerouslySetInnerHtml: JSON of our own settings, with "<" escaped.
  return <script {...attributes} dangerouslySetInnerHTML={{ __html: json }} />;
}
