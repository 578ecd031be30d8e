import {
  type LinkProps,
  type NavLinkProps,
  Link as RouterLink,
  NavLink as RouterNavLink,
} from "react-router";

/** Fetches the page behind a link once a visitor seems about to follow it, unless their browser saves data. */
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
