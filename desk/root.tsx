import "#app/styles/tokens.css";
import "#app/styles/fonts.css";
import "./desk.css";
import { type ReactNode, useEffect, useState } from "react";
import {
  isRouteErrorResponse,
  Link,
  Links,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  useLocation,
  useNavigation,
  useRouteError,
  useRouteLoaderData,
} from "react-router";
import { deskContext, type PageArgs } from "./desk-context.ts";
import { Empty, failureOf, failures, Page } from "./ui.tsx";

export function loader({ context }: PageArgs) {
  const { nonce, settings, config, visitor } = context.get(deskContext);
  return {
    // Browsers hide a nonce from scripts, so React must not compare it.
    nonce,
    siteName: config.siteName,
    siteUrl: settings.url,
    logo: settings.logo ?? "/favicon.svg",
    isSignedIn: visitor !== null,
  };
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useRouteLoaderData<typeof loader>("root")?.nonce;
  useEffect(() => {
    // For tests: before, what is pressed does without scripts.
    document.documentElement.dataset.alive = "";
    for (const name of ["keydown", "pointerdown"]) document.addEventListener(name, closeMenu);
  }, []);
  return (
    <html lang="en-CA" translate="no">
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

function closeMenu(event: Event): void {
  const menu = document.querySelector<HTMLDetailsElement>(".menu[open]");
  const isKey = event instanceof KeyboardEvent;
  if (!menu || (isKey ? event.key !== "Escape" : menu.contains(event.target as Node))) return;
  menu.open = false;
  if (isKey) menu.querySelector("summary")?.focus();
}

export default function Desk() {
  return (
    <Frame>
      <Outlet />
    </Frame>
  );
}

function Frame({ children }: { children: ReactNode }) {
  const loaded = useRouteLoaderData<typeof loader>("root");
  if (loaded?.isSignedIn) return <Shell {...loaded}>{children}</Shell>;
  return (
    <main className="sign-in" id="main">
      <img src={loaded?.logo ?? "/favicon.svg"} alt="" width="40" height="40" />
      {children}
    </main>
  );
}

/** `also` is the beginning of other paths in it. */
type Room = readonly [path: string, name: string, sign: string, also?: string];

const daily: readonly Room[] = [
  ["/", "Today", "M10 5v5l3 2M17 10a7 7 0 1 1-14 0a7 7 0 0 1 14 0"],
  ["/messages", "Messages", "M3 5h14v10H3zl7 6l7-6"],
  ["/issues", "Issues", "M5 3h7l3 3v11H5zM12 3v3h3M8 10h4M8 13h4", "/sends"],
  [
    "/subscribers",
    "Subscribers",
    "M10 6a3 3 0 1 1-6 0a3 3 0 0 1 6 0M2 17c0-4 2-6 5-6s5 2 5 6M13 4a3 3 0 0 1 0 5M15 12c2 1 3 2 3 5",
  ],
];

const seldom: readonly Room[] = [
  ["/words", "The site’s words", "M4 6V4h12v2M10 4v12M7 16h6"],
  ["/people", "People", "M11 8a4 4 0 1 1-8 0a4 4 0 0 1 8 0M10 10l6 6M13 13l2-2M6 8h1"],
  ["/settings", "Settings", "M3 6h8M15 6h2M13 4v4M3 14h2M9 14h8M7 12v4", "/backups"],
];

type ShellProps = Awaited<ReturnType<typeof loader>> & { children: ReactNode };

function Shell({ siteName, siteUrl, logo, children }: ShellProps) {
  const isBusy = useNavigation().state !== "idle";
  const { pathname } = useLocation();
  const [isOld, setOld] = useState(false);
  useEffect(() => {
    // A script is missing that this page asked for: an update has taken it away, or the line failed.
    const tell = () => setOld(true);
    window.addEventListener("vite:preloadError", tell);
    return () => window.removeEventListener("vite:preloadError", tell);
  }, []);
  return (
    <div className="desk">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="rooms">
        <p className="firm">
          <img src={logo} alt="" width="30" height="30" />
          {siteName}
        </p>
        <nav aria-label="Desk">
          {daily.map((room) => (
            <RoomLink key={room[0]} room={room} />
          ))}
          <button
            type="button"
            className="more"
            popoverTarget="seldom"
            aria-current={seldom.some((room) => isIn(room, pathname))}
          >
            <Sign lines="M3 10h2M9 10h2M15 10h2" />
            <span>More</span>
          </button>
          {/* A list above the bar on a phone, and part of the column elsewhere. */}
          <div id="seldom" className="seldom" popover="auto">
            {seldom.map((room) => (
              <RoomLink key={room[0]} room={room} />
            ))}
            <RoomLink room={[siteUrl, "See the site", "M4 10h12M11 5l5 5l-5 5"]} />
          </div>
        </nav>
      </header>
      <main id="main" tabIndex={-1} aria-busy={isBusy}>
        {isOld && (
          <p className="notice wrong" role="alert">
            A part of the desk did not come: it was updated, or there is no connection. What you
            wrote is still here: save or copy it, then load this page again.
          </p>
        )}
        {children}
      </main>
      {/* Not in it: a screen reader may keep back what changes in a busy element. */}
      <p aria-live="polite" className="unseen">
        {isBusy && "Loading…"}
      </p>
    </div>
  );
}

function isIn([path, , , also = path]: Room, pathname: string): boolean {
  if (path === "/") return pathname === path;
  return pathname.startsWith(path) || pathname.startsWith(also);
}

function RoomLink({ room }: { room: Room }) {
  const { pathname } = useLocation();
  const [path, name, sign] = room;
  return (
    <Link
      to={path}
      aria-current={isIn(room, pathname) ? "page" : undefined}
      onClick={({ currentTarget }) =>
        currentTarget.closest<HTMLElement>("[popover]")?.hidePopover()
      }
    >
      <Sign lines={sign} />
      <span>{name}</span>
    </Link>
  );
}

function Sign({ lines }: { lines: string }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d={lines} />
    </svg>
  );
}

export function ErrorBoundary() {
  const { pathname, search } = useLocation();
  const [path, name] = [...daily, ...seldom].find((one) => isIn(one, pathname)) ?? ["/", "Today"];
  const [title, words, again] = wordsOf(useRouteError());
  return (
    <Frame>
      <Page title={title}>
        <Empty
          {...(again ? {} : { title: "It may have been deleted" })}
          words={words}
          to={again ? pathname + search : path}
          deed={again ?? `Back to ${name}`}
        />
      </Page>
    </Frame>
  );
}

function wordsOf(error: unknown): [title: string, words: string, again?: string] {
  const failure = failureOf(error);
  const retry = "Try again";
  if (failure === "away") return ["The desk waits for its database", failures.away, retry];
  if (failure === "full") return ["The disk is full", failures.full, retry];
  if (failure === "closed")
    return ["Your session has ended", "Sign in, and you come back to this page.", "Sign in"];
  if (failure)
    return ["There is no connection", "See whether you are online, and the desk runs.", retry];
  const status = isRouteErrorResponse(error) ? error.status : 500;
  if (status === 404) return ["There is nothing here", "Or the address is mistyped."];
  if (status === 413)
    return ["That file is too large", "A list may have 50 MB. Import it in parts.", retry];
  return ["Something went wrong", "The window where the desk was started says why.", retry];
}
