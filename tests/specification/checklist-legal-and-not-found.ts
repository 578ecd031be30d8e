import { does, type Page, shows } from "./expectations.ts";

export const terms: Page = {
  screen: "Terms & Conditions",
  path: "/terms",
  rows: [
    shows("Terms & Conditions", { heading: "Terms & Conditions", level: 1 }),
    does("A Back button (history back)", { goesBack: /^Back$/ }),
    shows("'Last updated' showing today's date", { datedToday: "Last updated" }),
    shows("10 sections", {
      headings: [
        /acceptance/i,
        /services/i,
        /owner|code/i,
        /pay/i,
        /third[- ]part/i,
        /liability/i,
        /terminat|end/i,
        /law/i,
        /chang/i,
        /contact|reach|write/i,
      ],
      level: 2,
    }),
    shows("payment typically 30 days from invoice", {
      text: /30 days (from|of|after) the( date of the)? invoice/i,
    }),
    shows("liability capped at amounts paid in the prior 12 months", { text: /12 months/ }),
    shows("termination with 30 days written notice", { text: /30 days'? written notice/i }),
    shows("data export help for 30 days after termination", { text: /export/i }),
    shows("governing law (Ontario, Canada)", { text: /Ontario/ }),
  ],
};

export const privacy: Page = {
  screen: "Privacy Policy",
  path: "/privacy",
  rows: [
    shows("Privacy Policy", { heading: "Privacy Policy", level: 1 }),
    does("A Back button (history back)", { goesBack: /^Back$/ }),
    shows("'Last updated' showing today's date", { datedToday: "Last updated" }),
    shows("9 sections", {
      headings: [
        /collect/i,
        /use/i,
        /third[- ]part/i,
        /stor|protect/i,
        /rights|choices/i,
        /retention|keep/i,
        /transfer|border|outside Canada|international/i,
        /chang/i,
        /contact|reach|write/i,
      ],
      level: 2,
    }),
    shows("compliance with Canadian privacy law", {
      text: /PIPEDA|Personal Information Protection/,
    }),
    shows("compliance with GDPR", { text: /GDPR|General Data Protection/ }),
    shows("compliance with CCPA", { text: /CCPA|California Consumer Privacy/ }),
    shows("terminated-account data kept 1 year", { text: /\b(1|one) year/ }),
    shows("financial records 7 years", { text: /\b(7|seven) years/ }),
    shows("deletion requests handled within 30 days", {
      text: /delet[^.]*(30|thirty) days|(30|thirty) days[^.]*delet/i,
    }),
    shows("privacy inquiries answered within 30 days", {
      text: /answer[^.]*(30|thirty) days|(30|thirty) days[^.]*answer/i,
    }),
  ],
};

export const notFound: Page = {
  screen: "Not-found page",
  path: "/no-such-page",
  rows: [
    shows("* (anything else): Not-found page", { status: 404 }),
    shows("'404 Oops! Page not found'", { heading: "404 Oops! Page not found", level: 1 }),
    shows("with a link to the home page", { link: /home/i, to: "/" }),
    does("The missing path is logged to the console", { consoleError: "/no-such-page" }),
  ],
};
