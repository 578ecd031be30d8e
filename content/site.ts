export const navigation = [
  { label: "Home", path: "/" },
  { label: "Pricing", path: "/pricing" },
  { label: "Use Cases", path: "/use-cases" },
  { label: "Newsletter", path: "/newsletter" },
  { label: "About", path: "/about" },
  { label: "Contact", path: "/contact" },
] as const;

export const callsToAction = {
  audit: { label: "Get Your Free Automation Audit", short: "Free audit", path: "/contact" },
  consultation: { label: "Book Your Free Consultation" },
} as const;

export const footer = {
  description:
    "Business-process and AI automation for trade, real estate and home-improvement businesses in Toronto and the GTA.",
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

/** On one line. */
export function postalAddress({ street, postalCode }: Premises): string {
  return `${street}, ${locality}, ${region} ${postalCode}`;
}

/** With the country, for readers abroad. */
export function postalAddressAbroad(premises: Premises): string {
  return `${postalAddress(premises)}, Canada`;
}
