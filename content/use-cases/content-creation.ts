import type { UseCase } from "../use-case.ts";

export const contentCreation: UseCase = {
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
  heading: "Let every finished job help sell the next one",
  lede: "The photos are on your phone and the story is in your head. Automation gets both onto your website every week.",
  drawing: {
    before: [
      { key: "Drawing", value: "A finished job, today" },
      { key: "Result", value: "One client has seen\u00a0it" },
    ],
    after: [
      { key: "Drawing", value: "A finished job, after" },
      { key: "Result", value: "2-3x output" },
    ],
  },
  intro: [
    "Every finished job leaves the same things behind: forty photos in a camera roll, a permit drawing, an invoice with the products on it, and what the crew found under the old floor. That’s an article, if someone has a free afternoon to write it. In a renovation firm, nobody does.",
    "Content automation gathers the material as the job closes, asks the person who ran it four questions, and drafts the pieces from the answers. You read, correct and publish. Nothing goes out until a person at your firm has approved\u00a0it.",
  ],
  today: {
    heading: "Where the story goes missing",
    entries: [
      {
        when: "Mon 7:30 am",
        what: "A kitchen on Indian Road is done. The lead carpenter takes eleven photos for himself and two for you.",
      },
      {
        when: "Tue 1:15 pm",
        what: "An agent needs remarks for a townhouse near Yonge and Finch before it is listed at five. She copies last month’s and changes the rooms.",
      },
      {
        when: "Wed 4:40 pm",
        what: "A homeowner asks what a laneway suite needs from the city. You explain it for twenty minutes, for the ninth time this year.",
      },
      {
        when: "Fri 6:00 pm",
        what: "The student who does your marketing asks about Indian Road. You promise to send the details.",
      },
      {
        when: "Sun 9:30 pm",
        what: "You open the website to write something. The newest project on it is from March.",
      },
    ],
  },
  problems: {
    heading: "Four reasons the website stands still",
    items: [
      {
        title: "The writer wasn’t on the job",
        text: "A copywriter can describe a bathroom. Only your tiler knows why the slope to the drain had to be rebuilt, and that is the part a careful client reads.",
      },
      {
        title: "The answer is given by phone",
        text: "Permits, dust, timelines, whether HST is extra: you explain them every week. An answer by phone helps one caller, and the next one can’t find\u00a0it.",
      },
      {
        title: "Photos without facts",
        text: "Three thousand pictures, none labelled with a street or a product. Finding the ‘before’ takes longer than writing about\u00a0it.",
      },
      {
        title: "It starts over with every hire",
        text: "The agency had just learned your trade when the contract ended. The next one calls your drywall ‘interior solutions’.",
      },
    ],
  },
  benefits: {
    heading: "From job site to website, and who does what",
    automated: {
      heading: "Collected and drafted for you",
      items: [
        "A message to the job lead on closing day, with four questions to answer by voice while loading the truck.",
        "Photos sorted by room and stage, with faces and house numbers blurred.",
        "Drafts from those facts only: a project page, an article, a newsletter item, and a description of each picture.",
        "Listing remarks from the floor plan and feature sheet, within the character limit and with no claim the seller hasn’t confirmed.",
        "A calendar that looks a month ahead and links each new piece to the page where readers can book.",
      ],
    },
    person: {
      heading: "Left to you",
      items: [
        "The yes. A draft waits until someone who knows the job has read\u00a0it.",
        "Prices, promises, and anything about a neighbour or an inspector.",
        "The client’s permission for photos, asked for once, at signing, and kept with the file.",
        "Opinions. The tile you’d never lay again is worth more than ten summaries.",
      ],
    },
  },
  figures: {
    heading: "Compared with writing it by hand",
    items: [
      {
        value: "55%",
        label: "faster publishing, from the closed job to the page online",
      },
      {
        value: "2-3x",
        label: "output from the same people and the same jobs",
      },
      {
        value: "30-50%",
        label: "cost savings on each published piece",
      },
      {
        value: "67%",
        label: "more leads for companies that publish a blog",
        source: "demandMetricBlog",
      },
    ],
  },
  cost: {
    heading: "The jobs nobody can find",
    text: [
      "List the jobs you finished in the past twelve months and tick the ones a stranger could find on your website. The rest are built, photographed and invisible. If one of your pages brings in two inquiries a year, double the first line.",
      "Then count the calls in one week that a page could have answered for you.",
    ],
    worksheet: {
      id: "content-creation",
      lines: [
        {
          what: "Jobs not shown",
          factors: [
            { text: "# jobs", value: 22, name: "jobs" },
            { text: "# inquiry each", value: 1, name: "inquiries a job" },
            { text: "1 in # signed", value: 6, name: "inquiries for one signed", divides: true },
            { text: "$#", value: 6000, name: "dollars a job" },
          ],
        },
        {
          what: "The same answer again",
          factors: [
            { text: "# calls a week", value: 3, name: "calls a week" },
            { text: "# min", value: 15, name: "minutes a call", worth: 1 / 60 },
            { text: "# weeks", value: 46, name: "weeks" },
            { text: "$# an hour", value: 80, name: "dollars an hour" },
          ],
        },
      ],
      total: "A year of a quiet website",
    },
  },
  example: {
    heading: "Example: a renovator who wrote when it rained",
    text: [
      "Take a home-renovation firm that publishes on rainy days: four pieces in a good month. The closing-day questions go into the job checklist, between final cleaning and the invoice, so a job isn’t closed until its facts are\u00a0in.",
      "Drafts wait for approval on Thursday mornings. The owner reads them over coffee, and sunny months get as many pieces as rainy ones.",
    ],
    results: [
      { value: "4 became 12", label: "posts a month" },
      { value: "Tripled", label: "website traffic in 6 months" },
    ],
  },
  outlook: {
    heading: "When the reader is a machine",
    text: [
      "More homeowners now ask an AI assistant which firm in the east end does underpinning, and it answers from pages it can quote. It needs the street, the year, what was found and how it was fixed. ‘Quality craftsmanship’ gives it nothing.",
      "So the record matters more than the prose. A firm that keeps the facts of each job in order has the answer ready, whatever the next kind of search is called.",
    ],
  },
  closing: {
    heading: "Pick one finished job. Bring the photos.",
    text: "In thirty minutes we’ll go through it together and see what could be written about\u00a0it.",
    action: "Book a Free Content Consultation",
  },
};
