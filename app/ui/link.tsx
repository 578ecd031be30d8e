import { type MouseEvent, useEffect, useState } from "react";
import {
  type LinkProps,
  type NavLinkProps,
  Link as RouterLink,
  NavLink as RouterNavLink,
} from "react-router";
import { phoneWords } from "#content/site.ts";
import { useSiteFacts } from "../site-facts.ts";

/** Prefetches a page when a visitor seems about to follow the link, unless the browser saves data. */
const prefetch =
  typeof navigator !== "undefined" &&
  (navigator as { connection?: { saveData?: boolean } }).connection?.saveData
    ? "none"
    : "intent";

export function Link(props: LinkProps) {
  return <RouterLink prefetch={prefetch} {...props} />;
}

export function NavLink(props: NavLinkProps) {
  return <RouterNavLink prefetch={prefetch} {...props} />;
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

/** The firm's address, which may wrap after its "@". */
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

/** Calls on a touch screen; with a mouse, copies the number. Nothing where the firm has none. */
export function PhoneLink({ className }: { className?: string }) {
  const { phone } = useSiteFacts().settings;
  const [isCopied, setIsCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setIsCopied(false), 4_000);
    return () => clearTimeout(timer);
  }, [isCopied]);
  if (!phone) return null;
  const address = `tel:${phone.replace(/[^+\d]/g, "")}`;

  function copy(event: MouseEvent) {
    if (!navigator.clipboard || !matchMedia("(hover: hover) and (pointer: fine)").matches) return;
    event.preventDefault();
    navigator.clipboard.writeText(phone).then(
      () => setIsCopied(true),
      () => location.assign(address),
    );
  }
  return (
    <>
      <a className={className} href={address} onClick={copy}>
        {phone}
      </a>
      <span className="copied" aria-live="polite">
        {isCopied && ` ${phoneWords.copied}`}
      </span>
    </>
  );
}
