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
  heading: "Let finished jobs write the words that sell the next",
  lede: "The photos are on your phone and the story is in your head. Automation gets both onto your website each week.",
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
    "Every finished job leaves the same things behind: forty photos in a camera roll, a permit drawing, an invoice with the products on it, and what the crew found under the old floor. That is the material of an article. It needs somebody with a free afternoon, and in a renovation firm nobody has one.",
    "Content automation collects the material as the job closes, puts four questions to the person who ran it, and drafts the pieces from the answers. You read, correct and release. Nothing goes out that a person in your firm has not approved.",
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
        what: "You open the website to write something. Its newest project was finished in March.",
      },
    ],
  },
  problems: {
    heading: "Four reasons why the website stands still",
    items: [
      {
        title: "The writer was not on the job",
        text: "A copywriter can describe a bathroom. Only your tiler knows why the slope to the drain had to be rebuilt, and that is the part a careful client reads.",
      },
      {
        title: "The answer is given by phone",
        text: "Permits, dust, a timeline, whether HST is on top: you explain them weekly. A spoken answer helps one caller and can’t be found by the next.",
      },
      {
        title: "Photos without facts",
        text: "Three thousand pictures, none labelled with a street or a product. Finding the ‘before’ takes longer than writing about\u00a0it.",
      },
      {
        title: "It starts over with each hire",
        text: "The agency had just learned your trade when the contract ended. Its successor calls your drywall ‘interior solutions’.",
      },
    ],
  },
  benefits: {
    heading: "From the site to the website, and who does what",
    automated: {
      heading: "Collected and drafted for you",
      items: [
        "A message to the job lead on closing day, with four questions to answer by voice while loading the truck.",
        "Photos sorted by room and stage, with faces and house numbers blurred.",
        "Drafts from those facts only: a project page, an article, a newsletter item, and alt text for each picture.",
        "Listing remarks from the floor plan and feature sheet, within the character limit and without a claim that the seller hasn’t confirmed.",
        "A calendar that looks a month ahead and links each new piece to the page where a reader can book.",
      ],
    },
    person: {
      heading: "Left to you",
      items: [
        "The yes. A draft waits until somebody who knows the job has read\u00a0it.",
        "Prices, promises, and anything about a neighbour or an inspector.",
        "The client’s permission for photos, asked once at signing and kept with the file.",
        "Opinions. The tile that you would never lay again is worth more than ten summaries.",
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
    heading: "The jobs that nobody can find",
    text: [
      "List the jobs that you finished in the past twelve months and tick those that a stranger could find on your website. The others are built, photographed and invisible. If a page of yours brings two inquiries a year, double the first line.",
      "Then count the calls of one week in which you explained something that a page could have explained.",
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
      "Take a home-renovation firm that publishes on rainy days: four pieces in a good month. The closing-day questions go into the job checklist, between final cleaning and the invoice, so that a job isn’t closed until its facts are\u00a0in.",
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
      "More homeowners now ask an assistant which firm in the east end does underpinning, and the assistant answers from pages that it can quote. It needs the street, the year, what was found and how it was solved. General praise of craftsmanship gives it nothing.",
      "So the record matters more than the prose. A firm that keeps the facts of each job in order has the answer ready, whatever the next kind of search is called.",
    ],
  },
  closing: {
    heading: "Pick one finished job. Bring the photos.",
    text: "In thirty minutes we go through it together and you see which pieces are in\u00a0it.",
    action: "Book a Free Content Consultation",
  },
};
