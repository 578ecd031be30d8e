import type { ComponentProps } from "react";
import { phoneWords } from "#content/site.ts";
import { useSiteFacts } from "../site-facts.ts";

export function Link({ to, ...others }: Omit<ComponentProps<"a">, "href"> & { to: string }) {
  return <a href={to} {...others} />;
}

type Links = readonly { label: string; path: string }[];

export function LinkItems({ links, className }: { links: Links; className?: string }) {
  return links.map(({ label, path }) => (
    <li key={path}>
      <Link className={className} to={path}>
        {label}
      </Link>
    </li>
  ));
}

/** May wrap after its "@". */
export function EmailLink({ className }: { className?: string }) {
  const { email } = useSiteFacts().settings;
  const host = email.indexOf("@") + 1;
  return (
    <a className={className} href={`mailto:${email}`}>
      {email.slice(0, host)}
      <wbr />
      {email.slice(host)}
    </a>
  );
}

/** Calls on a touch screen; copies with a mouse. Nothing where the firm has none. */
export function PhoneLink({ className }: { className?: string }) {
  const { phone } = useSiteFacts().settings;
  if (!phone) return null;
  return (
    <>
      <a className={className} href={`tel:${phone.replace(/[^+\d]/g, "")}`}>
        {phone}
      </a>
      <span className="copied" aria-live="polite" />
    </>
  );
}

/** As in server/page-cache.ts. */
const aheadMs = 10_000;

export function bringLinksAlive(): void {
  const fetchedAt = new Map<string, number>();

  function fetchAhead(path: string) {
    fetchedAt.set(path, Date.now());
    const cache = "no-cache";
    const options = { headers: { Purpose: "prefetch" }, priority: "low", cache } as const;
    // Unread answers may be dropped.
    fetch(path, options)
      .then((answer) => answer.text())
      .catch(() => {});
  }

  function onIntent({ target }: Event) {
    const path = ownPage(target);
    const savesData = (navigator as SavesData).connection?.saveData;
    const isFetched = path && Date.now() - (fetchedAt.get(path) ?? 0) < aheadMs;
    if (path && !isFetched && !savesData) fetchAhead(path);
  }
  for (const intent of ["pointerover", "pointerdown", "focusin"]) {
    document.addEventListener(intent, onIntent, { passive: true });
  }

  document.addEventListener("click", (event) => {
    const phone = (event.target as Element).closest<HTMLAnchorElement>('a[href^="tel:"]');
    if (phone) copyNumber(phone, event);
  });
}

type SavesData = { connection?: { saveData?: boolean } };

/** Null for a query or another site. */
function ownPage(target: EventTarget | null): string | null {
  const link = (target as Element).closest?.<HTMLAnchorElement>("a[href]");
  if (link?.origin !== location.origin || link.search || link.target) return null;
  return link.pathname === location.pathname ? null : link.pathname;
}

export function opensElsewhere({ ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey;
}

function copyNumber(link: HTMLAnchorElement, event: Event): void {
  if (!navigator.clipboard || !matchMedia("(hover: hover) and (pointer: fine)").matches) return;
  const said = link.parentElement?.querySelector(".copied");
  if (!said) return;
  event.preventDefault();
  navigator.clipboard.writeText(link.textContent).then(
    () => {
      said.textContent = ` ${phoneWords.copied}`;
      setTimeout(() => {
        said.textContent = "";
      }, 4_000);
    },
    () => location.assign(link.href),
  );
}
