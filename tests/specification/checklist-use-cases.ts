import { businessOperations } from "#content/use-cases/business-operations.ts";
import { clientManagement } from "#content/use-cases/client-management.ts";
import { contentCreation } from "#content/use-cases/content-creation.ts";
import { emailManagement } from "#content/use-cases/email-management.ts";
import { leads } from "#content/use-cases/leads.ts";
import { socialMedia } from "#content/use-cases/social-media.ts";
import { specializedAgents } from "#content/use-cases/specialized-agents.ts";
import { does, type Page, partsOfUseCase, shows } from "./expectations.ts";

export const useCases: Page = {
  screen: "Use Cases overview",
  path: "/use-cases",
  rows: [
    shows("Breadcrumb Home > Use Cases", { breadcrumb: ["Home", "Use Cases"] }),
    shows("Structured data: breadcrumb", { structuredData: "BreadcrumbList" }),
    shows("A tile grid linking to seven use cases, personal assistants not among them", {
      linksUnder: "/use-cases/",
      to: [
        "/use-cases/leads",
        "/use-cases/content-creation",
        "/use-cases/social-media",
        "/use-cases/email-management",
        "/use-cases/business-operations",
        "/use-cases/client-management",
        "/use-cases/specialized-agents",
      ],
    }),
    shows("A three-tab panel: Trades, Real Estate, Home Improvement", {
      rowOf: ["Trades", "Real Estate", "Home Improvement"],
    }),
    shows("A FAQ blurb in each tab", { questions: 3 }),
    shows("A 'Subscribe to Newsletter' link to /newsletter", {
      link: "Subscribe to Newsletter",
      to: "/newsletter",
    }),
    does("A Book Your Free Consultation button", {
      bookingButton: "Book Your Free Consultation",
      opens: "page",
    }),
    shows("Service structured data: provider and areaServed", {
      structuredData: "Service",
      has: { provider: { name: /./, telephone: /\d/ }, areaServed: /Greater Toronto Area/ },
    }),
    shows("Structured data: FAQ", { structuredData: "FAQPage" }),
  ],
};

export const writtenUseCases: readonly Page[] = [
  {
    screen: "Use case: leads",
    path: "/use-cases/leads",
    rows: [
      ...partsOfUseCase(leads),
      shows("ROI cards 7x response, 391% conversions, 8x loss when delayed, $5.44 return per $1", {
        rowOf: [
          "391% … conversions",
          "7x … response",
          ["8x", /loss/, /delay/],
          "$5.44 … return per $1",
        ],
      }),
      shows("Example: 40+ admin hours saved per month, 20% more closed projects", {
        rowOf: ["40+ … hours … admin … month", "20% more … closed projects"],
      }),
      does("Button 'Book a Free Audit'", { bookingButton: "Book a Free Audit", opens: "page" }),
    ],
  },
  {
    screen: "Use case: content creation",
    path: "/use-cases/content-creation",
    rows: [
      ...partsOfUseCase(contentCreation),
      shows("55% faster publishing, 2-3x output, 30-50% cost savings, 67% more leads", {
        rowOf: [
          "55% … faster publishing",
          "2-3x … output",
          "30-50% … cost savings",
          "67% … more leads",
        ],
      }),
      shows("Example: 4 posts a month became 12; traffic tripled in 6 months", {
        rowOf: [
          [/4.*became 12/, "posts a month"],
          [/tripled/i, "traffic", "6 months"],
        ],
      }),
      does("A call to action", { bookingButton: contentCreation.closing.action, opens: "page" }),
    ],
  },
  {
    screen: "Use case: social media",
    path: "/use-cases/social-media",
    rows: [
      ...partsOfUseCase(socialMedia),
      shows(
        "50-60% more consistent posting, 66% higher engagement, 30-40% lower labour cost, 2x inbound",
        {
          rowOf: [
            "50-60% … more consistent posting",
            "66% … higher engagement",
            "30-40% … lower labour cost",
            "2x … inbound",
          ],
        },
      ),
      does("A call to action", { bookingButton: socialMedia.closing.action, opens: "page" }),
    ],
  },
  {
    screen: "Use case: email management",
    path: "/use-cases/email-management",
    rows: [
      ...partsOfUseCase(emailManagement),
      shows("50% faster responses, 30-40% less inbox time, higher satisfaction, 20% more deals", {
        rowOf: [
          "50% … faster responses",
          "30-40% … less inbox time",
          "20% … more deals",
          [/higher/i, "satisfaction"],
        ],
      }),
      shows("Example: 25+ hours a month saved, responses 60% faster", {
        rowOf: ["25+ hours … a month saved", "60% faster … responses"],
      }),
      does("A call to action", { bookingButton: emailManagement.closing.action, opens: "page" }),
    ],
  },
  {
    screen: "Use case: client management",
    path: "/use-cases/client-management",
    rows: [
      ...partsOfUseCase(clientManagement),
      shows(
        "40-60% faster responses, 50% fewer disputes, 30% higher satisfaction, stronger retention",
        {
          rowOf: [
            "40-60% … faster responses",
            "50% … fewer disputes",
            "30% … higher satisfaction",
            [/stronger/i, "retention"],
          ],
        },
      ),
      shows("Example: response time down 55%", {
        text: /down 55%.*response time|response time.*down 55%/i,
      }),
      shows("Its call to action is a link opening the scheduling page in a new tab", {
        link: clientManagement.closing.action,
        to: "https://scheduling.example/firm/30min",
        inNewTab: true,
      }),
    ],
  },
  {
    screen: "Use case: personal assistants",
    path: "/use-cases/personal-assistants",
    rows: [
      shows("A 'Coming Soon' placeholder", { heading: "Coming Soon", level: 1 }),
      shows("A 'Coming Soon' placeholder only: it promises no figures", {
        lacks: /\d%|\$\d|\dx\b/,
      }),
    ],
  },
  {
    screen: "Use case: specialized agents",
    path: "/use-cases/specialized-agents",
    rows: [
      ...partsOfUseCase(specializedAgents),
      shows("Explains AI agents", {
        listUnder: specializedAgents.anatomy.heading,
        items: specializedAgents.anatomy.rooms.map(({ holds }) => holds),
      }),
      shows(
        "A three-step build process (map pain points, design targeted solutions, build and personalize)",
        {
          rowOf: [/map pain points/i, /design targeted solutions/i, /build and personalize/i],
        },
      ),
      shows("Each of the three steps is told in a sentence", {
        inOrder: [/small jobs/i, /what starts it, what rules it keeps/i, /then we build it/i],
      }),
      shows("A small-business edge", { heading: specializedAgents.edge.heading }),
      shows(
        "ROI: 60-80% less admin time, 40+ hours per employee per month, 50% faster client response, lower overhead",
        {
          rowOf: [
            "60-80% … less admin time",
            "40+ hours … per employee per month",
            "50% faster … client response",
            [/lower overhead/i],
          ],
        },
      ),
      shows("Cited research", { heading: specializedAgents.research.heading }),
      shows("Cited research: the sources are linked", {
        link: /./,
        to: /^https:\/\/(?!scheduling)/,
      }),
      shows("An example (45+ hours per month saved)", {
        rowOf: ["45+ hours … per month saved"],
      }),
      does("A button 'Book Your Free Automation Audit'", {
        bookingButton: "Book Your Free Automation Audit",
        opens: "page",
      }),
    ],
  },
  {
    screen: "Use case: business operations",
    path: "/use-cases/business-operations",
    rows: [
      ...partsOfUseCase(businessOperations),
      shows(
        "60-80% faster invoice processing, 90% fewer payroll errors, 30-40% lower admin overhead, better forecasting",
        {
          rowOf: [
            "60-80% … faster invoice processing",
            "90% … fewer payroll errors",
            "30-40% … lower admin overhead",
            [/better forecasting/i],
          ],
        },
      ),
      shows("Example: invoice time down 70%, payroll accuracy 99.9%", {
        rowOf: [[/70% down|down 70%/i, "invoice time"], "99.9% … payroll accuracy"],
      }),
      does("A call to action", { bookingButton: businessOperations.closing.action, opens: "page" }),
    ],
  },
];
