/**
 * Facts about the firm and its services that pages show. They are settings of the running server, never of the build,
 * and every one of them is public.
 */
export type SiteSettings = {
  /** Origin and nothing more, without a trailing slash: `https://chalkline.example`. */
  url: string;
  name: string;
  email: string;
  phone: string;
  street: string;
  postalCode: string;
  /** The firm's page at a business directory or social network. */
  profileUrl: string;
  scheduling: {
    /** Where `/assets/external/widget.js` and `widget.css` are served from; empty for the stand-in of the site itself. */
    assetHost: string;
    /** The 30-minute booking page of most screens. */
    url: string;
    /** The booking page of the contact screen. */
    contactUrl: string;
  };
  /** A hosted Supabase project in place of the built-in backend. */
  hostedBackend: { url: string; anonKey: string; webhookUrl: string | null } | null;
  /** Left out where there is none, so that pages say nothing of it. */
  analytics?: AnalyticsTag;
};

/** A counting service whose script comes with every page. */
export type AnalyticsTag = {
  kind: "plausible" | "umami" | "ga4";
  /** The site's own at that service: a domain, a UUID, or `G-…`. */
  id: string;
  /** The origin that its script comes from. */
  host: string;
};

/** What names the firm in consent wording and in mail. */
export type SiteIdentity = Pick<
  SiteSettings,
  "url" | "name" | "email" | "phone" | "street" | "postalCode"
>;
