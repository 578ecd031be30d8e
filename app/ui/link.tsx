import {
  type LinkProps,
  type NavLinkProps,
  Link as RouterLink,
  NavLink as RouterNavLink,
} from "react-router";
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

export function PhoneLink() {
  const { phone } = useSiteFacts().settings;
  return <a href={`tel:${phone.replace(/[^+\d]/g, "")}`}>{phone}</a>;
}
