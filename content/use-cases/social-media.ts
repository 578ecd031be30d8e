import type { UseCase } from "../use-case.ts";

export const socialMedia = {
  head: {
    title: "Social Media Automation for Trades and Agents",
    description:
      "Steady posting from real job photos, and price questions sent to your phone. Social media automation for trade and real estate businesses in the GTA.",
    path: "/use-cases/social-media",
    keywords: [
      "social media automation Toronto",
      "contractor social media",
      "real estate agent social media scheduling",
      "Instagram for trades GTA",
    ],
  },
  name: "Social Media",
  heading: "Post every week without thinking about it daily",
  lede: "Your crew already takes the pictures. Automation sorts, captions and schedules them, and tells you when someone asks for a price.",
  drawing: {
    before: [
      { key: "Drawing", value: "One month’s posts, today" },
      { key: "Result", value: "A price question nobody saw" },
    ],
    after: [
      { key: "Drawing", value: "One month’s posts, after" },
      { key: "Result", value: "50-60% more consistent" },
    ],
  },
  intro: [
    "A roofer posts nine pictures on the Sunday after a storm and nothing until the next one. An agent posts every listing and disappears in between. Neither one is lazy: posting comes after the last job and before the quotes, when there’s no time left for\u00a0it.",
    "With automation, the crew drops its pictures into one shared album and is done. Software drafts each caption from what you told it about the job, sizes the post for Instagram, Facebook, LinkedIn and your Google profile, and puts it on a calendar you approve once a week. It reads the comments too, and sends the ones asking for a price to your phone.",
  ],
  today: {
    heading: "One week in the app",
    entries: [
      {
        when: "Mon 12:20 pm",
        what: "Lunch in the van on Eglinton. You post a panel upgrade with ‘another one done’. Two likes, both from suppliers.",
      },
      {
        when: "Tue 8:10 pm",
        what: "Under last winter’s heat pump post, someone asks what one costs for a semi. The app doesn’t tell you.",
      },
      {
        when: "Wed 3:00 pm",
        what: "The open house in Mimico is on Saturday. The logo your brokerage approved is in an email from last year.",
      },
      {
        when: "Thu 10:45 pm",
        what: "Looking for ideas, you find a competitor’s reel of a job you bid\u00a0on.",
      },
      {
        when: "Sun 5:30 pm",
        what: "‘I should post something.’ Forty minutes later it’s a picture of the dog on site, which does better than all the others.",
      },
    ],
  },
  problems: {
    heading: "What patchy posting costs you",
    items: [
      {
        title: "Silent in your busy season",
        text: "Four posts in a slow week, none in a busy one. The busy weeks are when people choose a contractor, and what they find is a page that’s gone quiet.",
      },
      {
        title: "The question under an old picture",
        text: "People ask under whatever post their search turned up, often one from another season. Nobody looks there.",
      },
      {
        title: "Every platform wants its own version",
        text: "Square or vertical, with a link or without, forty words or four hundred. One picture means four posts, and it’s easy to stop after the first.",
      },
      {
        title: "Lines you can’t leave out",
        text: "An agent’s post has to show the brokerage’s name prominently. An electrical contractor’s has to carry the ECRA/ESA licence number. At eleven at night, those get left off.",
      },
    ],
  },
  benefits: {
    heading: "What runs by itself, and what waits for you",
    automated: {
      heading: "Runs by itself",
      items: [
        "Pictures taken from the shared album and sorted by job, with licence plates and faces blurred.",
        "Captions drafted from the job’s own facts: the neighbourhood, the material, what was wrong.",
        "One post, sized for each platform, on the days your followers are there.",
        "Brokerage name, licence number or logo added to every post that needs\u00a0it.",
        "The season’s posts queued ahead: furnace checks for September, eavestroughs for November, air conditioning for May.",
        "An alert on your phone for every comment or message that asks for a price, a date or help.",
      ],
    },
    person: {
      heading: "Waits for you",
      items: [
        "Ten minutes on Friday to approve next week, on one page.",
        "Every answer with a price in\u00a0it.",
        "Complaints. They get a phone call from a person.",
        "Anything funny. Nobody has automated the dog.",
      ],
    },
  },
  figures: {
    heading: "What steady posting brings",
    items: [
      {
        value: "50-60%",
        label: "more consistent posting, busy season included",
      },
      {
        value: "66%",
        label: "higher engagement: comments, saves and messages",
      },
      {
        value: "30-40%",
        label: "lower labour cost for the same number of posts",
      },
      {
        value: "2x",
        label: "inbound: calls and messages that begin with a post",
      },
    ],
  },
  cost: {
    heading: "Price it like any other small job",
    text: [
      "Posting by hand looks free because you do it in the evening. Write it up the way you would a job, at your own rate.",
      "For the second line, scroll back through a year of comments and count the price questions nobody answered. Start with last winter’s.",
    ],
    worksheet: {
      id: "social-media",
      lines: [
        {
          what: "Posting by hand",
          factors: [
            { text: "# posts a week", value: 3, name: "posts a week" },
            { text: "# min", value: 35, name: "minutes a post", worth: 1 / 60 },
            { text: "# weeks", value: 48, name: "weeks" },
            { text: "$# an hour", value: 95, name: "dollars an hour" },
          ],
        },
        {
          what: "Price questions missed",
          factors: [
            { text: "# a year", value: 24, name: "questions a year" },
            { text: "1 in # hired", value: 4, name: "questions for one job", divides: true },
            { text: "$#", value: 700, name: "dollars a job" },
          ],
        },
      ],
      total: "A year in the app",
    },
  },
  example: {
    heading: "Example: a landscaper with a dead season",
    text: [
      "Take a landscape firm that posts daily in May and stops in July, when its crews are busiest and fall clients are making up their minds. The pictures move into one album, captions are queued a week ahead, and winter gets its own topics: drainage, lighting, and what a snow contract covers.",
      "Price questions under old pictures land in the same list as phone calls, with the picture attached. Anyone who asks about a retaining wall in February gets an answer in February.",
    ],
    results: [
      { value: "No gaps", label: "in the calendar, winter included" },
      { value: "One list", label: "for every comment that asks for a price" },
    ],
  },
  firstNinetyDays: {
    heading: "From a scattered calendar to a steady one",
    text: "Scheduled posts come early because you already have the pictures. The comment watch comes after a few weeks of reading what your followers really ask.",
    bars: [
      { task: "Accounts and licence lines", fromDay: 1, toDay: 10 },
      { task: "One album for the crew", fromDay: 5, toDay: 18 },
      { task: "Captions in your words", fromDay: 15, toDay: 32 },
      { task: "Steady calendar, live", fromDay: 28, toDay: 60 },
      { task: "Comment watch", fromDay: 45, toDay: 68 },
      { task: "Twelve months of seasons", fromDay: 60, toDay: 80 },
      { task: "Count inquiries by post", fromDay: 75, toDay: 90 },
    ],
  },
  outlook: {
    heading: "Feeds are becoming directories",
    text: [
      "People now type ‘basement waterproofing Etobicoke’ into a video app instead of a search engine. Which firms turn up depends on what the caption says and what the picture shows. A caption that names the place and the problem gets found; ‘another one done’ doesn’t.",
      "Meanwhile, AI-generated pictures are filling the feeds. Next to them, a crooked phone photo of a real sump pump, with the right pipe size in the caption, shows that someone was there.",
    ],
  },
  closing: {
    heading: "Bring last month’s camera roll.",
    text: "In thirty minutes we’ll lay out four weeks of posts from it on a calendar, so you can see what a month takes.",
    action: "Book Your Free Consultation",
  },
} as const satisfies UseCase;
