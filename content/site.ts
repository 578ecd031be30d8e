export const navigation = [
  { label: "Home", path: "/" },
  { label: "Pricing", path: "/pricing" },
  { label: "Use Cases", path: "/use-cases" },
  { label: "Newsletter", path: "/newsletter" },
  { label: "About", path: "/about" },
  { label: "Contact", path: "/contact" },
] as const;

export const callsToAction = {
  audit: { label: "Get Your Free Automation Audit", path: "/contact" },
  call: { label: "Book a call", path: "/contact" },
  consultation: { label: "Book Your Free Consultation" },
} as const;

export const footer = {
  description:
    "Business-process and AI automation for trades, real estate and home improvement in Toronto and the GTA.",
  quickLinks: {
    title: "Quick Links",
    links: [
      { label: "Pricing", path: "/pricing" },
      { label: "Use Cases", path: "/use-cases" },
      { label: "About", path: "/about" },
      { label: "Contact", path: "/contact" },
    ],
  },
  contact: { title: "Contact", invitation: "Schedule a consultation to get started" },
  /** Keys of the title block. */
  sheet: { drawing: "Drawing", number: "Sheet", date: "Date" },
  legal: [
    { label: "Terms & Conditions", path: "/terms" },
    { label: "Privacy Policy", path: "/privacy" },
  ],
} as const;

export const tagline =
  "Intelligent automation that saves time, reduces costs and scales without stress.";

export const newsletterName = "The Matrix";

export const locality = "Toronto";
export const region = "ON";

/** The firm's time zone, for all dates that it shows and sends. */
export const timeZone = "America/Toronto";

type Premises = { street: string; postalCode: string };

/** The city alone where no street is set. */
export function postalAddress({ street, postalCode }: Premises): string {
  const city = `${locality}, ${region}`;
  return street ? `${street}, ${city} ${postalCode}`.trim() : city;
}

/** With the country, for readers abroad. */
export function postalAddressAbroad(premises: Premises): string {
  return `${postalAddress(premises)}, Canada`;
}

/** The label of the honeypot, visible only without styles. */
export const honeypot = { label: "Leave this field empty" } as const;

export const noticeWords = {
  close: "Close notice",
  hint: "Escape closes it.",
} as const;

export const openingWords = { open: "Open now", opens: (when: string) => `Opens ${when}` };

export const phoneWords = { label: "Phone", call: "Call" };

export const languageTag = "en-CA";

/** The call, minute by minute. */
export const callAgenda = [
  { at: "0-10 min", text: "You walk us through your week." },
  { at: "10-25 min", text: "We ask what each hour costs you." },
  { at: "25-30 min", text: "We say where to start, or that you don’t need us." },
] as const;

/**
 * Words of the stand-in popup, used until a scheduling provider is set. Its script, `assets/external/widget.js`, has
 * the provider's interface, `Calendly.initPopupWidget`, shows how to book by phone or email, and fetches nothing. It is
 * served as written, so its comments are here.
 */
export const scheduling = {
  /** Data attributes that the stand-in's script reads. */
  standIn: ({ email, phone }: { email: string; phone: string }, hours: string) => ({
    email,
    phone,
    hours,
    title: "Book your free consultation",
    intro: `${phone ? "Call or email" : "Email"} with a time that suits you. We’ll confirm it and call you. It’s free.`,
    agenda: JSON.stringify(callAgenda),
    phoneLabel: "Phone",
    emailLabel: "Email",
    emailSubject: "Free 30-minute consultation",
    hoursLabel: "Hours",
    closeLabel: "Close",
  }),
} as const;

/** Here, because every page loads the missing page with its search form. */
export const searchForm = {
  path: "/search",
  label: "What are you looking for?",
  submit: "Search",
  /** In UTF-16 code units. */
  maxLength: 100,
};

export type PageHead = {
  /** 15 to 60 characters. */
  title: string;
  /** 70 to 160 characters. */
  description: string;
  path: string;
  keywords?: readonly string[];
};

export const feedPath = "/feed.xml";
