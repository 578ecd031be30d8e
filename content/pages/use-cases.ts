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
  lede: "Seven kinds of work that trades, brokerages and renovators across the GTA hand to automation first. Each has a drawing of how it runs today and how it runs after.",

  service: {
    name: "AI automation for trade, real estate and home-improvement businesses",
    description:
      "Automation of leads, content, social media, email, client management, back office and single jobs by specialized agents, after a pay-what-you-think-it’s-worth audit.",
  },

  register: { work: "Kind of work", result: "What it can change" },
  tiles: [
    { path: "/use-cases/leads", title: "Leads", figure: "7x response" },
    { path: "/use-cases/content-creation", title: "Content Creation", figure: "2-3x output" },
    {
      path: "/use-cases/social-media",
      title: "Social Media",
      figure: "50-60% more consistent posting",
    },
    {
      path: "/use-cases/email-management",
      title: "Email Management",
      figure: "50% faster responses",
    },
    {
      path: "/use-cases/business-operations",
      title: "Business Operations",
      figure: "60-80% faster invoices",
    },
    {
      path: "/use-cases/client-management",
      title: "Client Management",
      figure: "50% fewer disputes",
    },
    {
      path: "/use-cases/specialized-agents",
      title: "Specialized Agents",
      figure: "40+ hours a month",
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
            text: "A text back while you’re under the sink, and the emergency rings through.",
          },
          {
            path: "/use-cases/business-operations",
            text: "Hours typed once on site; the invoice goes out the day the job closes.",
          },
          {
            path: "/use-cases/email-management",
            text: "Supplier prices, permits and quotes sorted before the first call.",
          },
          {
            path: "/use-cases/client-management",
            text: "The client hears that the crew is coming, and signs for the extra.",
          },
          {
            path: "/use-cases/specialized-agents",
            text: "One small program that watches your subs’ clearances and warns you before one lapses.",
          },
          {
            path: "/use-cases/social-media",
            text: "The panel you wired today becomes a post with the licence number on it.",
          },
          {
            path: "/use-cases/content-creation",
            text: "Four questions in the truck become a page about the job.",
          },
        ],
        capabilitiesHeading: "What changes on a day in the truck",
        capabilities: [
          {
            title: "Emergency calls sorted from the rest",
            text: "A burst pipe rings your phone at 2\u00a0AM. A dripping tap gets a slot on Thursday and a text that says\u00a0so.",
          },
          {
            title: "Dispatch that knows the 401",
            text: "Jobs are lined up along the route, and the next client gets a text when the van is twenty minutes out.",
          },
          {
            title: "Quotes from site notes",
            text: "Photos and a voice note from the basement become a draft quote at your prices, for you to check and send.",
          },
          {
            title: "Invoices on the day the job closes",
            text: "Hours and parts are already in. The invoice goes out before the van is back, with a reminder at day 30.",
          },
        ],
        question: "Will it work with the app my crew already uses?",
        answer:
          "Usually. If the app can send an email or export a list, it can be connected, and your crew keeps using what it knows.",
      },
      {
        id: "real-estate",
        label: "Real Estate",
        rows: [
          {
            path: "/use-cases/leads",
            text: "Every portal lead answered within the minute, with the listing attached.",
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
            text: "Listing remarks drafted from the feature sheet, inside the portal’s character limit.",
          },
          {
            path: "/use-cases/social-media",
            text: "Listings and open houses posted with the brokerage’s name.",
          },
          {
            path: "/use-cases/specialized-agents",
            text: "One small program that orders the status certificate and follows it.",
          },
          {
            path: "/use-cases/business-operations",
            text: "Trade record sheet, deposit receipt and commission statement from one entry.",
          },
        ],
        capabilitiesHeading: "What changes on a day of showings",
        capabilities: [
          {
            title: "Every portal lead answered",
            text: "Leads from the portals, your site and the sign on the lawn come into one list, with the listing and the price range attached.",
          },
          {
            title: "Showings booked around offer night",
            text: "Buyers pick from real openings, the listing side confirms, and both agents see one calendar.",
          },
          {
            title: "Follow-up that lasts until the mortgage renews",
            text: "Someone who bought in 2021 gets a useful fact about their own street, not a card with a pumpkin on\u00a0it.",
          },
          {
            title: "Deal files that check themselves",
            text: "Conditions, deposits and closing dates are tracked, and a missing signature is chased before the lawyer asks.",
          },
        ],
        question: "What about our brokerage’s compliance rules?",
        answer:
          "They go in first. Nothing goes out in an agent’s name unless the brokerage has approved it, and every message is kept on file.",
      },
      {
        id: "home-improvement",
        label: "Home Improvement",
        rows: [
          {
            path: "/use-cases/client-management",
            text: "A Friday update, and change orders signed in the kitchen.",
          },
          {
            path: "/use-cases/leads",
            text: "Rooms, budget and three photos on file before the site visit.",
          },
          {
            path: "/use-cases/content-creation",
            text: "Every finished kitchen becomes a project page that brings the next one.",
          },
          {
            path: "/use-cases/business-operations",
            text: "Deposits, holdbacks and invoices that go out on the day they’re due.",
          },
          {
            path: "/use-cases/social-media",
            text: "Before and after, sized for each platform, every week.",
          },
          {
            path: "/use-cases/email-management",
            text: "Every message about a house in that house’s folder.",
          },
          {
            path: "/use-cases/specialized-agents",
            text: "One small program that puts new material prices into open quotes.",
          },
        ],
        capabilitiesHeading: "What changes on a day of site visits",
        capabilities: [
          {
            title: "Design questions before the visit",
            text: "Rooms, measurements, budget and three photos are on file before anyone drives to Etobicoke.",
          },
          {
            title: "Selections that don’t stall the job",
            text: "Tile, fixtures and paint each have a date they’re needed by, and the client hears about it in time.",
          },
          {
            title: "Change orders, signed the same day",
            text: "A change is priced, sent and signed on a phone while everyone is still standing in the kitchen.",
          },
          {
            title: "The Friday update that writes itself",
            text: "Photos, what’s done, what’s next and what’s waiting on the client, in their inbox at four.",
          },
        ],
        question: "Our projects are all different. Can that be automated?",
        answer:
          "The projects are different; the paperwork isn’t. Deposits, selections, changes, updates and holdbacks follow the same path every time.",
      },
    ],
  },

  informed: {
    heading: "Not ready to talk?",
    text: "{newsletter}, our newsletter, takes one piece of work like these apart every week and shows the math.",
    link: { label: "Subscribe to Newsletter", path: "/newsletter" },
  },

  closing: {
    heading: "Which of the seven is yours?",
    text: "Tell us about one week. In thirty minutes we can say where to start.",
  },
} as const;
