import {
  type LinkProps,
  type NavLinkProps,
  Link as RouterLink,
  NavLink as RouterNavLink,
} from "react-router";

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
