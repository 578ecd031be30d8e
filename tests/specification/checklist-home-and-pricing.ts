import { does, type Page, shows } from "./expectations.ts";

export const home: Page = {
  screen: "Home",
  path: "/",
  rows: [
    shows("Home (landing page for Toronto AI automation)", {
      within: "page",
      text: [/Toronto/, /automation/i],
    }),
    shows(
      "Tagline: intelligent automation that saves time, reduces costs and scales without stress",
      {
        text: /intelligent automation that saves time, reduces costs and scales without stress/i,
      },
    ),
    shows("Hero with a 'Book Your Free Consultation' button", {
      button: "Book Your Free Consultation",
    }),
    does("Hero button (opens the scheduling popup), and so does the closing call to action", {
      bookingButton: "Book Your Free Consultation",
      opens: "page",
      atLeast: 2,
    }),
    shows(
      "A four-stat strip: 120+ hours saved monthly; ROI-backed deliverables; service area; trades",
      {
        rowOf: [
          "120+ hours … saved monthly",
          "ROI-backed … deliverables",
          [/Toronto and (the )?GTA/, "service area"],
          "Trade / Real Estate / Home Improvement",
        ],
      },
    ),
    shows("A 4-step audit process: Identify, Quantify, Automate, Scale", {
      rowOf: ["Identify", "Quantify", "Automate", "Scale"],
    }),
    shows("Four audit deliverables: ROI Analysis, Benchmarking, Roadmap, Workflow Design", {
      rowOf: ["ROI Analysis", "Benchmarking", "Roadmap", "Workflow Design"],
    }),
    shows("A pay-what-you-think-it's-worth explainer", {
      heading: /pay what you think it's worth/i,
    }),
    shows("The explainer links to /newsletter", { link: /newsletter/i, to: "/newsletter" }),
    shows("Three FAQ cards", { questions: 3 }),
    shows("Structured data: FAQ", { structuredData: "FAQPage" }),
  ],
};

export const pricing: Page = {
  screen: "Pricing",
  path: "/pricing",
  rows: [
    shows("A 5-step process: 01 Free Consultation (30-minute discovery call) to 05 Scale", {
      rowOf: [
        "01 … Free Consultation … 30-minute discovery call",
        "02 … Trade Automation Audit",
        "03 … Assessment",
        "04 … Implementation",
        "05 … Scale",
      ],
    }),
    shows("Three pricing cards: $0, 'You Decide', 'Custom Quote'", {
      rowOf: [
        "Free Consultation … $0 … 30 minutes",
        ["You Decide", /pay what you think it's worth/i],
        ["Automation Partnership", "Custom Quote", /based on the assessment/i],
      ],
    }),
    shows("The Trade Automation Audit: a one-month audit", { text: /one month/i }),
    shows("The client sets the price after delivery", { text: /after delivery/i }),
    shows("It yields a 90-day automation roadmap", { text: "90-day automation roadmap" }),
    shows("The Automation Partnership (Implementation & Scale)", {
      text: "Implementation & Scale",
    }),
    shows("Claim: 10x+ ROI potential in a first audit", {
      text: /10x\+ ROI potential.*first audit/,
    }),
    shows("A segment strip: Trade Services, Real Estate, Home Improvement, Commercial", {
      rowOf: [
        ["Trade Services", /contractors/i, /plumbers/i, /electricians/i, "HVAC", /construction/i],
        ["Real Estate", /agents/i, /brokers/i, /property managers/i],
        ["Home Improvement", /renovation/i, /landscaping/i, /design/i],
        "Commercial",
      ],
    }),
    shows("Qualified businesses elsewhere in Canada are also served", {
      text: /qualified businesses (across|elsewhere in) Canada/i,
    }),
    shows("Four FAQs", { questions: 4 }),
    shows("A closing call to action (book consultation, request audit)", {
      rowOf: [/book.*consultation/i, /request.*audit/i],
    }),
    does("All buttons open the scheduling popup", { everyButtonOpens: "page" }),
    shows("Service structured data: provider and areaServed", {
      structuredData: "Service",
      has: {
        provider: {
          name: /./,
          url: /^http/,
          telephone: /\d/,
          address: { addressLocality: "Toronto", addressRegion: /^(ON|Ontario)$/ },
        },
        areaServed: /Greater Toronto Area/,
      },
    }),
    shows("Structured data: FAQ", { structuredData: "FAQPage" }),
  ],
};
