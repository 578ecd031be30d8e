import "#app/styles/tokens.css";
import "#app/styles/fonts.css";
import "./desk.css";
import type { ReactNode } from "react";
import {
  isRouteErrorResponse,
  Links,
  Meta,
  NavLink,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLoaderData,
  useLocation,
  useNavigation,
  useRouteError,
  useRouteLoaderData,
} from "react-router";
import { deskContext, type PageArgs } from "./desk-context.ts";
import { failureOf, failures } from "./ui.tsx";

const rooms = [
  ["/", "Today"],
  ["/messages", "Messages"],
  ["/issues", "Issues"],
  ["/subscribers", "Subscribers"],
  ["/numbers", "Numbers"],
  ["/words", "The site's words"],
  ["/settings", "Settings"],
] as const;

export function loader({ context }: PageArgs) {
  const { nonce, settings, config, store } = context.get(deskContext);
  return {
    // Browsers hide a nonce from scripts, so React must not compare it.
    nonce: nonce,
    siteName: config.siteName,
    siteUrl: settings.url,
    isHosted: store === null,
  };
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useRouteLoaderData<typeof loader>("root")?.nonce;
  return (
    <html lang="en-CA">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <link rel="icon" href="/favicon.svg" />
        <Meta />
        <Links />
      </head>
      <body>
        {children}
        <ScrollRestoration nonce={nonce} />
        <Scripts nonce={nonce} />
      </body>
    </html>
  );
}

export default function Desk() {
  const { siteName, siteUrl, isHosted } = useLoaderData<typeof loader>();
  const { pathname } = useLocation();
  const isBusy = useNavigation().state !== "idle";
  return (
    <div className="desk">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="rooms">
        <p className="firm">
          {siteName}
          <a href={siteUrl}>See the site</a>
        </p>
        <nav aria-label="Desk">
          {rooms
            .filter(([path]) => !isHosted || path === "/" || path === "/settings")
            .map(([path, name]) => (
              <NavLink
                key={path}
                to={path}
                end={path === "/"}
                className={path === "/issues" && pathname.startsWith("/sends") ? "active" : ""}
              >
                {name}
              </NavLink>
            ))}
        </nav>
      </header>
      <main id="main" tabIndex={-1} aria-busy={isBusy}>
        <Outlet />
      </main>
    </div>
  );
}

export function ErrorBoundary() {
  const { title, words } = errorWordsOf(useRouteError());
  return (
    <main className="failure" id="main">
      <title>{title}</title>
      <h1>{title}</h1>
      <p>{words}</p>
      <p>
        <a href="/">Back to today</a>
      </p>
    </main>
  );
}

function errorWordsOf(error: unknown): { title: string; words: string } {
  const failure = failureOf(error);
  if (failure) return { title: "The desk does not answer.", words: failures[failure] };
  const status = isRouteErrorResponse(error) ? error.status : 500;
  if (status === 404) {
    return { title: "There is nothing here.", words: "It may have been deleted since." };
  }
  if (status === 413) {
    return {
      title: "That file is too large.",
      words: "A list may have 50 MB. Import it in parts.",
    };
  }
  return {
    title: "The desk could not do that.",
    words: "The window where the desk was started says why; try again in a moment.",
  };
}
