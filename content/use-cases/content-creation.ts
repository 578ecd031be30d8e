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
  lede: "The photos are on your phone and the story is in your head. Automation gets both onto your website every week.",
  drawing: {
    before: [
      { key: "Drawing", value: "A finished job, today" },
      { key: "Result", value: "One client has seen it" },
    ],
    after: [
      { key: "Drawing", value: "A finished job, after" },
      { key: "Result", value: "2-3x output" },
    ],
  },
  intro:
    "Every finished job leaves forty photos, a permit drawing, an invoice and what the crew found under the old floor. That’s an article, if someone has a free afternoon. Content automation asks the person who ran the job four questions and drafts the pieces. You read, correct and publish.",
  problems: {
    heading: "Three reasons the website stands still",
    items: [
      {
        title: "The writer wasn’t on the job",
        text: "Only your tiler knows why the slope to the drain was rebuilt, and that is the part a careful client reads.",
      },
      {
        title: "The answer is given by phone",
        text: "Permits, dust, timelines, HST: each call helps one caller, and the next one can’t find the answer.",
      },
      {
        title: "Photos without facts",
        text: "Three thousand pictures, none labelled with a street or a product.",
      },
    ],
  },
  figures: {
    heading: "Compared with writing it by hand",
    items: [
      { value: "55%", label: "faster publishing, from the closed job to the page online" },
      { value: "2-3x", label: "output from the same people and the same jobs" },
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
      heading: "Collected and drafted for you",
      items: [
        "Four questions to the job lead on closing day, answered by voice while loading the truck.",
        "Photos sorted by room and stage, with faces and house numbers blurred.",
        "Drafts from those facts only: a project page, an article, a newsletter item.",
      ],
    },
    person: {
      heading: "Left to you",
      items: [
        "The yes. A draft waits until someone who knows the job has read it.",
        "Prices, promises, and anything about a neighbour or an inspector.",
        "The client’s permission for photos, asked for once, at signing.",
        "Opinions. The tile you’d never lay again is worth more than ten summaries.",
      ],
    },
  },
  cost: {
    heading: "The jobs nobody can find",
    text: "List the past year’s jobs and tick the ones a stranger could find on your website. Then count the calls a page would have answered: three a week, 15 minutes each, are 36 hours in 48 weeks.",
  },
  example: {
    heading: "Example: a renovator who wrote when it rained",
    text: "Take a renovation firm that publishes on rainy days: four pieces in a good month. The closing-day questions go into the job checklist, and a job isn’t closed until its facts are in. The owner reads the drafts over coffee on Thursdays, and sunny months get as many pieces as rainy ones.",
    results: [
      { value: "4 became 12", label: "posts a month" },
      { value: "Tripled", label: "website traffic in 6 months" },
    ],
  },
  outlook: {
    heading: "When the reader is a machine",
    text: "More homeowners now ask an AI assistant which firm in the east end does underpinning, and it answers from pages it can quote: the street, the year, what was found and how it was fixed. A firm that keeps those facts in order has the answer ready.",
  },
  closing: {
    heading: "Pick one finished job and its photos.",
    text: "On the call we’ll see what could be written about it.",
    action: "Book a Free Content Consultation",
  },
  next: ["/use-cases/social-media", "/use-cases/leads"],
} as const satisfies UseCase;
