import { footer } from "#content/site.ts";
import { useSiteFacts } from "../site-facts.ts";
import { Link } from "../ui/link.tsx";
import { Logo } from "../ui/logo.tsx";
import { EmailLink } from "../ui/reach.tsx";

export function SiteFooter() {
  const { settings, year } = useSiteFacts();
  return (
    <footer className="site-footer">
      <div className="wrap">
        <div className="footer-columns">
          <div>
            <Link className="site-name" to="/">
              <Logo />
              {settings.name}
            </Link>
            <p className="footer-description">{footer.description}</p>
          </div>
          <nav aria-labelledby="footer-quick-links">
            <h2 className="footer-title" id="footer-quick-links">
              {footer.quickLinks.title}
            </h2>
            <ul>{footer.quickLinks.links.map(listedLink)}</ul>
          </nav>
          <div>
            <h2 className="footer-title">{footer.contact.title}</h2>
            <EmailLink className="footer-link" />
            <p className="footer-description">{footer.contact.invitation}</p>
          </div>
        </div>
        <div className="footer-base">
          <p>{`© ${year} ${settings.name}`}</p>
          <ul className="footer-legal">{footer.legal.map(listedLink)}</ul>
        </div>
      </div>
    </footer>
  );
}

function listedLink({ label, path }: { label: string; path: string }) {
  return (
    <li key={path}>
      <Link className="footer-link" to={path}>
        {label}
      </Link>
    </li>
  );
}
