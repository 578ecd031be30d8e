import { useLocation } from "react-router";
import { callsToAction, footer, navigation, postalAddress } from "#content/site.ts";
import { pageName, sheetNumber, sitePages } from "#content/site-pages.ts";
import { BookingLink } from "../scheduling/booking-button.tsx";
import { useOwnWords, useSiteFacts } from "../site-facts.ts";
import { EmailLink, Link, LinkItems, PhoneLink } from "../ui/link.tsx";
import { OpenNow } from "../ui/open-now.tsx";
import { Facts } from "../ui/title-block.tsx";
import { unbroken } from "../ui/unbroken.tsx";
import { menuId, menuNames } from "./menu-alive.ts";

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

/** A popover needs no script to open. */
export function SiteHeader() {
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
          aria-label={menuNames.open}
          aria-controls={menuId}
        >
          <ToggleSymbol of="menu" d="M2 5h18M2 11h18M2 17h18" />
          <ToggleSymbol of="close" d="m3.5 3.5 15 15m0-15-15 15" />
        </button>
      </div>
      <nav className="site-menu" id={menuId} popover="auto" aria-label="Main">
        <NavigationLinks />
        <AuditLink />
        <p className="menu-phone apart">
          <PhoneLink /> <OpenNow />
        </p>
      </nav>
    </header>
  );
}

function NavigationLinks() {
  const { pathname } = useLocation();
  return navigation.map(({ label, path }) => {
    const isInSection = path !== "/" && pathname.startsWith(`${path}/`);
    return (
      <Link
        key={path}
        to={path}
        className="nav-link"
        aria-current={pathname === path ? "page" : isInSection || undefined}
      >
        {label}
      </Link>
    );
  });
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

/** A drawing's title block: who drew it, and which sheet of the set it is. */
export function SiteFooter() {
  const { settings, today, year } = useSiteFacts();
  const { pathname } = useLocation();
  // Only the written pages are sheets of the set, in the order of their routes.
  const page = sitePages.find(({ head }) => head.path === pathname);
  const { drawing, number, date } = footer.sheet;
  return (
    <footer className="site-footer">
      <div className="wrap">
        <div className="sheet">
          <div className="cells" data-n="4">
            <div>
              <SiteName />
              <p className="small">{useOwnWords("footer", footer).description}</p>
            </div>
            <nav aria-labelledby="footer-quick-links">
              <h2 className="lettering" id="footer-quick-links">
                {footer.quickLinks.title}
              </h2>
              <ul className="cluster">
                <LinkItems className="footer-link" links={footer.quickLinks.links} />
              </ul>
            </nav>
            <div>
              <h2 className="lettering">{footer.contact.title}</h2>
              <p>
                <PhoneLink className="footer-link" /> <OpenNow />
              </p>
              <p>
                <EmailLink />
              </p>
              <p>{unbroken(postalAddress(settings))}</p>
              <p>
                <BookingLink>{footer.contact.invitation}</BookingLink>
              </p>
            </div>
            {page && (
              <Facts
                entries={[
                  { key: drawing, value: pageName(page) },
                  { key: number, value: sheetNumber(pathname) ?? "" },
                  { key: date, value: <span className="whitespace-nowrap">{today}</span> },
                ]}
              />
            )}
          </div>
          <div className="footer-base apart small">
            <p>
              {[`© ${year} ${settings.name}`, settings.registration, !page && today]
                .filter(Boolean)
                .join(" · ")}
            </p>
            <ul className="cluster">
              <LinkItems className="footer-link" links={footer.legal} />
            </ul>
          </div>
        </div>
      </div>
    </footer>
  );
}
