/** The firm's facts and services, as pages show them. Settings of the running server, never of the build; all public. */
export type SiteSettings = {
  /** The origin, without a trailing slash: `https://chalkline.example`. */
  url: string;
  name: string;
  email: string;
  /** Empty where the firm has set none, like `street` and `profileUrl`. */
  phone: string;
  street: string;
  postalCode: string;
  /** The firm's page at a business directory or social network. */
  profileUrl: string;
  /** The colour of links, lines and marks, as `#rrggbb`: readable on the site's paper, and white on it. */
  accent: string;
  scheduling: {
    /** The host of `/assets/external/widget.js` and `widget.css`; empty for the site's own stand-in. */
    assetHost: string;
    /** The 30-minute booking page of most screens. */
    url: string;
    contactUrl: string;
  };
  /** Absent rather than null, so that pages without analytics don't mention it. */
  analytics?: AnalyticsTag;
  /** The path of the firm's own logo. Absent likewise. */
  logo?: string;
  /** The owner's own words, by the fact's name (content/own-words.ts). Absent likewise. */
  words?: Readonly<Record<string, object>>;
};

/** An analytics service whose script every page loads. */
export type AnalyticsTag = {
  kind: "plausible" | "umami" | "ga4";
  /** The site's id at that service: a domain, a UUID, or `G-…`. */
  id: string;
  host: string;
};

/** Identifies the firm in consent wording and in mail. */
export type SiteIdentity = Pick<
  SiteSettings,
  "url" | "name" | "email" | "phone" | "street" | "postalCode" | "words" | "accent"
>;

export type RequestOrigin = {
  /** The visitor's network address, if known. */
  clientAddress: string | null;
  /** Ties together the log lines of one request. */
  requestId?: string;
  /** For the scripts and styles that a page's own code writes; only those may run. */
  nonce?: string;
  /** The missing page is cached, so a 404 needs only its status. */
  hasMissingPage?: boolean;
};
