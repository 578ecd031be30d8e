import "#app/styles/tokens.css";
import "#app/styles/fonts.css";
import "./desk.css";
import { type ReactNode, useEffect, useState } from "react";
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

export function loader({ context }: PageArgs) {
  const { nonce, settings, config, visitor } = context.get(deskContext);
  return {
    // Browsers hide a nonce from scripts, so React must not compare it.
    nonce: nonce,
    siteName: config.siteName,
    siteUrl: settings.url,
    isSignedIn: visitor !== null,
  };
}

export function Layout({ children }: { children: ReactNode }) {
  const nonce = useRouteLoaderData<typeof loader>("root")?.nonce;
  useEffect(() => {
    // For tests: before, what is pressed does without scripts.
    document.documentElement.dataset.alive = "";
  }, []);
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
  const loaded = useLoaderData<typeof loader>();
  if (!loaded.isSignedIn) {
    return (
      <main className="sign-in" id="main">
        <Outlet />
      </main>
    );
  }
  return (
    <Shell {...loaded}>
      <Outlet />
    </Shell>
  );
}

type ShellProps = Awaited<ReturnType<typeof loader>> & { children: ReactNode };

type Room = {
  path: string;
  name: string;
  sign: string;
  isDaily?: true;
};

const rooms: readonly Room[] = [
  {
    path: "/",
    name: "Today",
    sign: "M10 5v5l3 2M17 10a7 7 0 1 1-14 0a7 7 0 0 1 14 0",
    isDaily: true,
  },
  { path: "/messages", name: "Messages", sign: "M3 5h14v10H3zl7 6l7-6", isDaily: true },
  {
    path: "/issues",
    name: "Issues",
    sign: "M5 3h7l3 3v11H5zM12 3v3h3M8 10h4M8 13h4",
    isDaily: true,
  },
  {
    path: "/subscribers",
    name: "Subscribers",
    sign: "M10 6a3 3 0 1 1-6 0a3 3 0 0 1 6 0M2 17c0-4 2-6 5-6s5 2 5 6M13 4a3 3 0 0 1 0 5M15 12c2 1 3 2 3 5",
    isDaily: true,
  },
  { path: "/words", name: "The site's words", sign: "M4 6V4h12v2M10 4v12M7 16h6" },
  {
    path: "/people",
    name: "People",
    sign: "M11 8a4 4 0 1 1-8 0a4 4 0 0 1 8 0M10 10l6 6M13 13l2-2M6 8h1",
  },
  { path: "/settings", name: "Settings", sign: "M3 6h8M15 6h2M13 4v4M3 14h2M9 14h8M7 12v4" },
];

const moreSign = "M4 10h1M10 10h1M16 10h1";

function Shell({ siteName, siteUrl, children }: ShellProps) {
  const { pathname } = useLocation();
  const isBusy = useNavigation().state !== "idle";
  const isLate = useIsLate(isBusy);
  useKeys();
  const link = ({ path, name, sign }: Room) => (
    <NavLink
      key={path}
      to={path}
      end={path === "/"}
      onClick={({ currentTarget }) =>
        currentTarget.closest<HTMLElement>("[popover]")?.hidePopover()
      }
      className={({ isActive, isPending }) =>
        isActive || (path === "/issues" && pathname.startsWith("/sends"))
          ? "active"
          : isPending
            ? "pending"
            : ""
      }
    >
      <Sign lines={sign} />
      <span>{name}</span>
    </NavLink>
  );
  return (
    <div className="desk">
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <header className="rooms">
        <p className="firm">
          <b>{siteName}</b> <a href={siteUrl}>See the site</a>
        </p>
        <nav aria-label="Desk">
          {rooms.filter(({ isDaily }) => isDaily).map(link)}
          <button type="button" className="more" popoverTarget="seldom">
            <Sign lines={moreSign} />
            <span>More</span>
          </button>
          {/* A list above the bar on a phone, and part of the column elsewhere. */}
          <div id="seldom" className="seldom" popover="auto">
            {rooms.filter(({ isDaily }) => !isDaily).map(link)}
          </div>
        </nav>
      </header>
      <main id="main" tabIndex={-1} aria-busy={isBusy} className={isLate ? "late" : ""}>
        {children}
      </main>
      {/* Not in it: a screen reader may keep back what changes in a busy element. */}
      <p aria-live="polite" className="unseen">
        {isLate && "Loading…"}
      </p>
    </div>
  );
}

function useIsLate(isBusy: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isBusy) return;
    const timer = setTimeout(() => setLate(true), 80);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isBusy]);
  return isLate && isBusy;
}

function Sign({ lines }: { lines: string }) {
  return (
    <svg viewBox="0 0 20 20" aria-hidden="true">
      <path d={lines} />
    </svg>
  );
}

/** Ctrl+S saves, Ctrl+Enter does what the page is for; with ⌘ on a Mac. */
function useKeys(): void {
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const { key, defaultPrevented, altKey, shiftKey } = event;
      if (defaultPrevented || altKey || shiftKey || !(event.ctrlKey || event.metaKey)) return;
      const buttons = { s: "button[value=save]", Enter: ".button.main[type=submit]" };
      const wanted = key === "s" || key === "Enter" ? buttons[key] : null;
      const form = document.activeElement?.closest("form");
      const found = wanted && (form ?? document.getElementById("main"))?.querySelectorAll(wanted);
      // In a page with several forms it isn't known which, before one writes in one of them.
      if (found?.length !== 1) return;
      (found[0] as HTMLElement).click();
      event.preventDefault();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

export function ErrorBoundary() {
  const { title, words } = errorWordsOf(useRouteError());
  const loaded = useRouteLoaderData<typeof loader>("root");
  const failure = (
    <>
      <title>{title}</title>
      <h1>{title}</h1>
      <p>{words}</p>
      <p>
        <a href="/">Back to today</a>
      </p>
    </>
  );
  if (loaded?.isSignedIn) return <Shell {...loaded}>{failure}</Shell>;
  return (
    <main className="sign-in" id="main">
      {failure}
    </main>
  );
}

function errorWordsOf(error: unknown): { title: string; words: string } {
  const failure = failureOf(error);
  if (failure) {
    const isReached = failure === "full" || failure === "away";
    const title = isReached ? "The desk could not do that." : "The desk does not answer.";
    return { title, words: failures[failure] };
  }
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
