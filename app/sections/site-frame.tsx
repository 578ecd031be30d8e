import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { callsToAction, footer, navigation, postalAddress } from "#content/site.ts";
import { BookingLink } from "../scheduling/booking-button.tsx";
import { useSiteFacts } from "../site-facts.ts";
import { EmailLink, Link, LinkItems, NavLink, PhoneLink } from "../ui/link.tsx";
import { OpenNow } from "../ui/open-now.tsx";

function Logo() {
  const { logo } = useSiteFacts().settings;
  if (logo) return <img src={logo} alt="" width="30" height="30" />;
  return (
    <svg width="30" height="30" viewBox="0 0 30 30" aria-hidden="true">
      <rect width="30" height="30" rx="3" fill="var(--color-ink)" />
      <path d="M4 21 26 9" stroke="var(--color-safety)" strokeWidth="3" />
      <circle cx="4.8" cy="20.6" r="2.6" fill="var(--color-paper)" />
      <circle cx="25.2" cy="9.4" r="2.6" fill="var(--color-paper)" />
    </svg>
  );
}

function SiteName() {
  return (
    <Link className="site-name" to="/">
      <Logo />
      {useSiteFacts().settings.name}
    </Link>
  );
}

const menuId = "site-menu";

/** On small screens the links are in a popover, which needs no script to open. */
export function SiteHeader() {
  const menu = useMenu();
  return (
    <header className="site-header">
      <div className="wrap site-header-bar">
        <SiteName />
        <nav className="site-nav-wide" aria-label="Main">
          <NavigationLinks />
          <AuditLink />
        </nav>
        <BookingLink className="button nav-action" />
        <button
          type="button"
          className="button menu-toggle"
          popoverTarget={menuId}
          aria-label={menu.isOpen ? "Close menu" : "Open menu"}
          aria-expanded={menu.isHydrated ? menu.isOpen : undefined}
          aria-controls={menuId}
        >
          <ToggleSymbol of="menu" d="M2 5h18M2 11h18M2 17h18" />
          <ToggleSymbol of="close" d="m3.5 3.5 15 15m0-15-15 15" />
        </button>
      </div>
      <nav className="site-menu" id={menuId} popover="auto" ref={menu.ref} aria-label="Main">
        <NavigationLinks />
        <AuditLink />
        <p className="menu-phone apart">
          <PhoneLink /> <OpenNow />
        </p>
      </nav>
    </header>
  );
}

/** `page` marks the page itself, `true` the section that a page belongs to. */
function NavigationLinks() {
  const { pathname } = useLocation();
  return navigation.map(({ label, path }) => (
    <NavLink
      key={path}
      to={path}
      end={path === "/"}
      className="nav-link"
      aria-current={pathname.replace(/(.)\/$/, "$1") === path ? "page" : "true"}
    >
      {label}
    </NavLink>
  ));
}

function AuditLink() {
  return (
    <Link to={callsToAction.audit.path} className="button nav-action">
      {callsToAction.audit.label}
    </Link>
  );
}

function ToggleSymbol({ of, d }: { of: "menu" | "close"; d: string }) {
  return (
    <svg className={`symbol-${of}`} width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
      <path d={d} stroke="currentColor" strokeWidth="2.2" />
    </svg>
  );
}

/** `:is` because the selector alone throws where popovers aren't known. */
const openPopover = ":is(:popover-open)";

/** Tracks the popover's state for the button's name, and closes it on navigation. */
function useMenu() {
  const ref = useRef<HTMLElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [isHydrated, setIsHydrated] = useState(false);
  const location = useLocation();

  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    setIsHydrated(true);
    // The visitor may have opened the menu before hydration.
    setIsOpen(element.matches(openPopover));
    const followState = (event: ToggleEvent) => setIsOpen(event.newState === "open");
    // Fires during the press, so the button's new name is read at once.
    element.addEventListener("beforetoggle", followState);
    // Tabbing out of the menu closes it, because it covers the page.
    const giveWay = ({ target }: FocusEvent) => {
      if (!element.parentElement?.contains(target as Node)) element.hidePopover?.();
    };
    document.addEventListener("focusin", giveWay);
    return () => {
      element.removeEventListener("beforetoggle", followState);
      document.removeEventListener("focusin", giveWay);
    };
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new location is what closes the menu.
  useEffect(() => {
    if (ref.current?.matches(openPopover)) ref.current.hidePopover();
  }, [location.key]);

  return { ref, isOpen, isHydrated };
}

export function SiteFooter() {
  const { settings, year } = useSiteFacts();
  return (
    <footer className="site-footer">
      <div className="wrap">
        <div className="sheet">
          <div className="cells" data-n="3">
            <div>
              <SiteName />
              <p>{footer.description}</p>
            </div>
            <nav aria-labelledby="footer-quick-links">
              <h2 className="small-title" id="footer-quick-links">
                {footer.quickLinks.title}
              </h2>
              <ul>
                <LinkItems className="footer-link" links={footer.quickLinks.links} />
              </ul>
            </nav>
            <div>
              <h2 className="small-title">{footer.contact.title}</h2>
              <p>
                <PhoneLink className="footer-link" /> <OpenNow />
              </p>
              <p>
                <EmailLink className="footer-link" />
              </p>
              <p>{postalAddress(settings)}</p>
              <p>{footer.contact.invitation}</p>
            </div>
          </div>
          <div className="footer-base apart small">
            <p>{`© ${year} ${settings.name}`}</p>
            <ul className="cluster">
              <LinkItems className="footer-link" links={footer.legal} />
            </ul>
          </div>
        </div>
      </div>
    </footer>
  );
}
