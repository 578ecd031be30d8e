/** Set on the running server, never in the build; all public. */
export type SiteSettings = {
  /** Without a trailing slash. */
  url: string;
  name: string;
  email: string;
  /** Empty if unset, like `street` and `profileUrl`. */
  phone: string;
  street: string;
  postalCode: string;
  /** At a business directory or social network. */
  profileUrl: string;
  /** Facts that a registry or an insurer can confirm, each empty if unset. */
  registration: string;
  clearance: string;
  insurance: string;
  reviewsUrl: string;
  /** `#rrggbb`, readable on the paper, and white on it. */
  accent: string;
  scheduling: {
    /** Empty for the site's own stand-in. */
    assetHost: string;
    url: string;
    contactUrl: string;
  };
  /** Absent rather than null, so that pages don't mention it. */
  logo?: string;
  /** By the fact's name (content/own-words.ts). */
  words?: Readonly<Record<string, object>>;
};

export type SiteIdentity = Pick<
  SiteSettings,
  "url" | "name" | "email" | "phone" | "street" | "postalCode" | "words" | "accent"
>;

export type RequestOrigin = {
  clientAddress: string | null;
  requestId?: string;
  nonce?: string;
  /** The missing page is cached, so a 404 needs only its status. */
  hasMissingPage?: boolean;
};
