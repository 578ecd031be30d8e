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
  useNavigation,
  useRouteError,
  useRouteLoaderData,
} from "react-router";
import { deskContext, type PageArgs } from "./desk-context.ts";

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
              <NavLink key={path} to={path} end={path === "/"}>
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
  const error = useRouteError();
  const isMissing = isRouteErrorResponse(error) && error.status === 404;
  return (
    <main className="failure" id="main">
      <title>{isMissing ? "Not there" : "Something went wrong"}</title>
      <h1>{isMissing ? "There is nothing here." : "The desk could not do that."}</h1>
      <p>
        {isMissing
          ? "It may have been deleted since."
          : "Nothing was lost. The window where the desk was started says why; try again in a moment."}
      </p>
      <p>
        <a href="/">Back to today</a>
      </p>
    </main>
  );
}
