import type { PageHead } from "../site.ts";

const startingPoint = "Starting point: free consultation, pay-what-you-think audit, 90-day roadmap";

export const useCases = {
  head: {
    title: "AI Automation Use Cases for Trades and Real Estate",
    description:
      "Seven places where trade, real estate and home-improvement businesses in Toronto and the GTA lose hours to paperwork, and what automation does about each.",
    path: "/use-cases",
  } satisfies PageHead,
  name: "Use Cases",
  heading: "Where the hours go, and how to get them back",
  intro:
    "Seven kinds of work that trades, brokerages and renovators hand to automation first, each with an example.",

  service: {
    name: "AI automation for trade, real estate and home-improvement businesses",
    description:
      "Automation of leads, content, social media, email, client management, back office and single jobs by specialized agents, after a pay-what-you-think-it’s-worth audit.",
  },

  /** Each with its drawing at the size of a thumb: path data by pen (app/drawings/pens.tsx). */
  tiles: [
    {
      path: "/use-cases/leads",
      title: "Leads",
      value: "7x",
      gain: "response",
      thumbnail: {
        part: "M6 9h26v14H6zM6 33h26v14H6zM6 57h26v14H6z",
        route: "M32 16h14v24M32 40h36M32 64h14V40M92 48v14",
        chalk: "M68 32h46v16H68z",
        safety: "M68 60h46v14H68zM46 36a4 4 0 1 1-.1 0z",
      },
    },
    {
      path: "/use-cases/content-creation",
      title: "Content Creation",
      value: "2-3x",
      gain: "output",
      thumbnail: {
        part: "M6 26h10l4-6h14v38H6zM72 7h42v18H72zM72 31h42v18H72zM72 55h42v18H72z",
        line: "M12 44h16M12 50h10M80 13h24M80 18h16M80 37h24M80 42h16M80 61h24M80 66h16",
        route: "M42 40h30M56 16v48M56 16h16M56 64h16",
        safety: "M56 36a4 4 0 1 1-.1 0z",
      },
    },
    {
      path: "/use-cases/social-media",
      title: "Social Media",
      value: "50-60%",
      gain: "more consistent posting",
      thumbnail: {
        part: "M6 8h108v64H6z",
        line: "M6 24h108M6 40h108M6 56h108M33 8v64M60 8v64M87 8v64",
        chalk:
          "M14 11h10v10H14zM14 27h10v10H14zM14 43h10v10H14zM14 59h10v10H14zM68 11h10v10H68zM68 27h10v10H68zM68 43h10v10H68zM68 59h10v10H68z",
        safety: "M100 27a5 5 0 1 1-.1 0zM100 59a5 5 0 1 1-.1 0z",
      },
    },
    {
      path: "/use-cases/email-management",
      title: "Email Management",
      value: "50%",
      gain: "faster responses",
      thumbnail: {
        part: "M6 8h108v64H6z",
        safety: "M6 8h108v16H6z",
        line: "M6 40h108M6 56h108M14 32h52M14 48h64M14 64h44M94 32h12M90 48h16M96 64h10",
      },
    },
    {
      path: "/use-cases/business-operations",
      title: "Business Operations",
      value: "60-80%",
      gain: "faster invoices",
      thumbnail: {
        part: "M50 28h32v11H50zM50 43h32v11H50zM50 58h32v11H50z",
        line: "M6 76h108M6 76v-4M24 76v-4M42 76v-4M60 76v-4M78 76v-4M96 76v-4M114 76v-4",
        route: "M30 24v38M30 34h20M30 48h20M30 62h20",
        chalk: "M18 8h62v14H18z",
        safety: "M30 24a4 4 0 1 1-.1 0z",
      },
    },
    {
      path: "/use-cases/client-management",
      title: "Client Management",
      value: "50%",
      gain: "fewer disputes",
      thumbnail: {
        part: "M30 46h28v22H30zM66 46h28v22H66z",
        line: "M44 46V26M80 46V26M34 60c4-8 8 8 12 0s6 2 8 0M70 60c4-8 8 8 12 0s6 2 8 0",
        route: "M8 26h104",
        chalk:
          "M8 22a4 4 0 1 1-.1 0zM26 22a4 4 0 1 1-.1 0zM44 22a4 4 0 1 1-.1 0zM62 22a4 4 0 1 1-.1 0zM80 22a4 4 0 1 1-.1 0zM98 22a4 4 0 1 1-.1 0zM112 22a4 4 0 1 1-.1 0z",
      },
    },
    {
      path: "/use-cases/specialized-agents",
      title: "Specialized Agents",
      value: "40+",
      gain: "hours a month",
      thumbnail: {
        part: "M8 8h100v64H8z",
        line: "M41 8v14m0 20v30M75 8v14M8 46h50m14 0h36",
        route: "M0 30h120M62 30v32",
        safety: "M48 68h34v8H48zM62 56a4 4 0 1 1-.1 0z",
      },
    },
  ],

  /** Each tab has the seven in the order in which that trade starts, in its words. */
  byTrade: {
    heading: "What it looks like in your trade",
    startingPoint,
    tabs: [
      {
        id: "trades",
        label: "Trades",
        rows: [
          {
            path: "/use-cases/leads",
            text: "A text back while you’re under the sink; emergencies ring through.",
          },
          {
            path: "/use-cases/business-operations",
            text: "Hours typed once on site, for payroll, job cost and invoice.",
          },
          {
            path: "/use-cases/email-management",
            text: "Prices, permits and quotes sorted before the first call.",
          },
          {
            path: "/use-cases/client-management",
            text: "Clients know when the crew is coming, and sign for extras.",
          },
          {
            path: "/use-cases/specialized-agents",
            text: "A warning before a sub’s clearance lapses.",
          },
          {
            path: "/use-cases/social-media",
            text: "Today’s panel becomes a post, licence number included.",
          },
          {
            path: "/use-cases/content-creation",
            text: "Four questions in the truck become a page about the job.",
          },
        ],
        capabilitiesHeading: "How a day in the truck changes",
        capabilities: [
          {
            title: "Emergency calls sorted from the rest",
            text: "A burst pipe rings you at 2\u00a0AM. A dripping tap gets a slot on Thursday.",
          },
          {
            title: "Dispatch that knows the 401",
            text: "Jobs follow the route, and the next client gets a text twenty minutes out.",
          },
          {
            title: "Quotes from site notes",
            text: "Photos and a voice note become a draft at your prices, for you to check.",
          },
          {
            title: "Invoices on the day the job closes",
            text: "Sent before the van is back, with a reminder on day 30.",
          },
        ],
        question: "Will it work with the app my crew already uses?",
        answer: "Usually. If it can send an email or export a list, we can connect it.",
      },
      {
        id: "real-estate",
        label: "Real Estate",
        rows: [
          {
            path: "/use-cases/leads",
            text: "Every portal lead answered within a minute, with the listing attached.",
          },
          {
            path: "/use-cases/client-management",
            text: "Conditions, deposits and closing dates counted down for every deal.",
          },
          {
            path: "/use-cases/email-management",
            text: "Offers with a deadline on top; flyers at the bottom.",
          },
          {
            path: "/use-cases/content-creation",
            text: "Listing remarks to fit the portal’s character limit.",
          },
          {
            path: "/use-cases/social-media",
            text: "Listings and open houses posted with the brokerage’s name.",
          },
          {
            path: "/use-cases/specialized-agents",
            text: "The status certificate, ordered and followed up.",
          },
          {
            path: "/use-cases/business-operations",
            text: "Trade record sheet, deposit receipt and commission from one entry.",
          },
        ],
        capabilitiesHeading: "How a day of showings changes",
        capabilities: [
          {
            title: "Every lead in one list",
            text: "Portals, your site and the lawn sign feed it, with the listing attached.",
          },
          {
            title: "Showings booked around offer night",
            text: "Buyers pick from real openings, and both agents see one calendar.",
          },
          {
            title: "Follow-up that lasts until the mortgage renews",
            text: "A useful fact about their own street, not a card with a pumpkin on\u00a0it.",
          },
          {
            title: "Deal files that check themselves",
            text: "A missing signature is chased before the lawyer asks.",
          },
        ],
        question: "What about our brokerage’s compliance rules?",
        answer:
          "They go in first. Nothing goes out in an agent’s name unless the brokerage has approved it, and every message is kept.",
      },
      {
        id: "home-improvement",
        label: "Home Improvement",
        rows: [
          {
            path: "/use-cases/client-management",
            text: "A Friday update, and extras signed before they start.",
          },
          {
            path: "/use-cases/leads",
            text: "Every inquiry answered, and a visit booked.",
          },
          {
            path: "/use-cases/content-creation",
            text: "Every finished kitchen becomes a page that sells the next one.",
          },
          {
            path: "/use-cases/business-operations",
            text: "Deposits, holdbacks and invoices on the day they’re due.",
          },
          {
            path: "/use-cases/social-media",
            text: "Before-and-afters sized for each platform, every week.",
          },
          {
            path: "/use-cases/email-management",
            text: "Every message about a house in that house’s folder.",
          },
          {
            path: "/use-cases/specialized-agents",
            text: "New material prices, put into open quotes.",
          },
        ],
        capabilitiesHeading: "How a day of site visits changes",
        capabilities: [
          {
            title: "Design questions before the visit",
            text: "Rooms, budget and three photos before anyone drives to Etobicoke.",
          },
          {
            title: "Selections that don’t stall the job",
            text: "Tile, fixtures and paint each have a date, with a reminder before it.",
          },
          {
            title: "Change orders, signed the same day",
            text: "Priced, sent and signed while everyone’s still in the kitchen.",
          },
          {
            title: "The Friday update that writes itself",
            text: "What’s done, what’s next and what you need, in the client’s inbox at four.",
          },
        ],
        question: "Our projects are all different. Can that be automated?",
        answer:
          "The projects are different; the paperwork isn’t. Deposits, selections and changes follow the same path every time.",
      },
    ],
  },

  informed: {
    heading: "Not ready to talk?",
    text: "{newsletter}, our newsletter, takes one job like these apart every week and shows the math.",
    link: { label: "Subscribe to Newsletter", path: "/newsletter" },
  },

  closing: {
    heading: "Which of the seven is yours?",
    text: "Tell us about one week. In thirty minutes we can say where to start.",
  },
} as const;
