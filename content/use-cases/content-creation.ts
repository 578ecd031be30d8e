import type { UseCase } from "../use-case.ts";

export const contentCreation = {
  head: {
    title: "Content Creation Automation for GTA Firms",
    description:
      "Turn finished jobs into articles, project pages and listings without a marketing hire. What content automation does for trades and agents, and what it saves.",
    path: "/use-cases/content-creation",
    keywords: [
      "content automation Toronto",
      "contractor blog automation",
      "real estate listing descriptions",
      "renovation project pages GTA",
    ],
  },
  name: "Content Creation",
  service: "Content creation automation",
  heading: "Let every finished job help sell the next one",
  intro:
    "The photos are on your phone and the story is in your head. Automation gets both onto your website every week.",
  drawing: { before: "One client has seen it", after: "2-3x output" },
  problems: [
    {
      title: "The writer wasn’t on the job",
      text: "Only your tiler knows why the slope to the drain was rebuilt, and that’s the part a careful client reads.",
    },
    {
      title: "You keep answering by phone",
      text: "Permits, dust, HST: three calls a week, 15 minutes each, come to 36 hours a year that one page would save.",
    },
  ],
  figures: {
    heading: "Compared with writing it by hand",
    items: [
      { value: "55%", label: "faster publishing, from closed job to page online" },
      { value: "2-3x", label: "output from the same people and jobs" },
      { value: "30-50%", label: "cost savings on each published piece" },
      {
        value: "67%",
        label: "more leads for companies that publish a blog",
        source: "demandMetricBlog",
      },
    ],
  },
  benefits: {
    heading: "From job site to website, and who does what",
    automated: {
      heading: "Drafted for you",
      items: [
        "Four questions to the job lead on closing day, answered by voice while loading the truck.",
        "Photos sorted by room and stage, with faces and house numbers blurred.",
        "A project page, an article and a newsletter item, from those facts only.",
      ],
    },
    person: {
      heading: "Left to you",
      items: [
        "The OK. A draft waits until someone who knows the job has read it.",
        "The client’s permission for photos, asked for once, at signing.",
        "Opinions. The tile you’d never lay again is worth more than ten summaries.",
      ],
    },
  },
  example: {
    heading: "Example: a roofer who wrote when it rained",
    text: "Four pieces in a good month, all written on rainy days. With the four questions on the closing checklist, no job is closed until its facts are in, and the owner reads the drafts over Thursday coffee.",
    results: [
      { value: "4 became 12", label: "posts a month" },
      { value: "Tripled", label: "website traffic in 6 months" },
    ],
    elsewhere: [
      {
        who: "A brokerage",
        text: "remarks drafted from the feature sheet, to fit the portal’s character limit.",
      },
      {
        who: "A renovator",
        text: "a page for each kitchen, with the street, the year and what was behind the wall.",
      },
    ],
  },
  outlook: {
    text: "Homeowners now ask an AI who does underpinning in the east end; it names the firm whose pages give the street, the year and the fix.",
  },
  closing: {
    heading: "Pick one finished job and its photos.",
    text: "On the call we’ll see what could be written about it.",
    action: "Book Your Free Consultation",
  },
  next: "/use-cases/social-media",
} as const satisfies UseCase;
