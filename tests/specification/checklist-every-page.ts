import { torontoYear } from "#content/toronto-time.ts";
import { type Row, shows } from "./expectations.ts";

export const everyPage: readonly Row[] = [
  shows("'within 24 hours' is the one promise of a reply", {
    within: "page",
    lacks: /\bre(?:ply|plies|spond|sponds)\b[^.]{0,20}\b(?:on|by) (?:\w+day|tomorrow)/i,
  }),
  shows("Each page sets its own title", { meta: "title" }),
  shows("Each page sets its own meta description", { meta: "description" }),
  shows(
    "Links Home, Pricing, Use Cases, Newsletter, About, Contact, then 'Get Your Free Automation Audit'",
    {
      within: "header",
      rowOf: [
        /^Home$/,
        /^Pricing$/,
        /^Use Cases$/,
        /^Newsletter$/,
        /^About$/,
        /^Contact$/,
        "Get Your Free Automation Audit",
      ],
    },
  ),
  shows("The button 'Get Your Free Automation Audit' links to /contact", {
    within: "header",
    link: "Get Your Free Automation Audit",
    to: "/contact",
  }),
  shows("Footer: brand block with a short description", { within: "footer", text: /automation/i }),
  shows("Footer: Quick Links column: Pricing, Use Cases, About, Contact", {
    within: "footer",
    listUnder: "Quick Links",
    items: ["Pricing", "Use Cases", "About", "Contact"],
  }),
  shows("Footer: Contact column: a general info e-mail line", {
    within: "footer",
    link: /@/,
    to: /^mailto:/,
  }),
  shows("Footer: 'Schedule a consultation to get started'", {
    within: "footer",
    text: "Schedule a consultation to get started",
  }),
  shows("Footer: copyright line with the current year", {
    within: "footer",
    text: new RegExp(`© ${torontoYear(new Date())}`),
  }),
  shows("Footer: link to Terms & Conditions (/terms)", {
    within: "footer",
    link: "Terms & Conditions",
    to: "/terms",
  }),
  shows("Footer: link to Privacy Policy (/privacy)", {
    within: "footer",
    link: "Privacy Policy",
    to: "/privacy",
  }),
  shows("A site-wide structured-data block: the website with a search action at /search?q={term}", {
    structuredData: "WebSite",
    has: { potentialAction: { "@type": "SearchAction", target: /\/search\?q=\{\w+\}/ } },
  }),
];

const weekdays = /Monday.*Tuesday.*Wednesday.*Thursday.*Friday/;

/** The firm, for search engines: on the home page at least. */
export const businessDescription: readonly Row[] = [
  shows("Business description: name, image, url, telephone, social profile link", {
    structuredData: "LocalBusiness",
    has: { name: /./, image: /^http/, url: /^http/, telephone: /\d/, sameAs: /^\["?http|^http/ },
  }),
  shows("Business description: postal address (street, Toronto, ON, postal code, country CA)", {
    structuredData: "LocalBusiness",
    has: {
      address: {
        streetAddress: /./,
        addressLocality: "Toronto",
        addressRegion: "ON",
        postalCode: /./,
        addressCountry: "CA",
      },
    },
  }),
  shows("Business description: area served", {
    structuredData: "LocalBusiness",
    has: { areaServed: /Toronto.*Greater Toronto Area/ },
  }),
  shows("Business description: opening hours (Monday to Friday, 09:00 to 18:00)", {
    structuredData: "LocalBusiness",
    has: { openingHoursSpecification: new RegExp(`${weekdays.source}.*09:00.*18:00`) },
  }),
  shows("Business description: offered services", {
    structuredData: "LocalBusiness",
    has: {
      hasOfferCatalog:
        /line-by-line workflow consultation.*Trade Automation Audit.*Automation Partnership \(Implementation & Scale\)/i,
    },
  }),
];
