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
  service: "Social media automation",
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
  intro:
    "A roofer posts nine pictures after a storm and nothing until the next one. With automation, the crew drops its pictures into one album. Software drafts the captions, sizes the posts and puts them on a calendar you approve once a week.",
  problems: {
    heading: "What goes wrong by hand",
    items: [
      {
        title: "Silent in your busy season",
        text: "The busy weeks are when people choose a contractor, and they find a page that’s gone quiet.",
      },
      {
        title: "The question under an old picture",
        text: "People ask under whatever post their search turned up, often last winter’s. Nobody looks there.",
      },
      {
        title: "Lines you can’t leave out",
        text: "An agent’s post has to show the brokerage’s name; an electrical contractor’s, the ECRA/ESA licence number.",
      },
    ],
  },
  figures: {
    heading: "What steady posting brings",
    items: [
      { value: "50-60%", label: "more consistent posting, busy season included" },
      { value: "66%", label: "higher engagement: comments, saves and messages" },
      { value: "30-40%", label: "lower labour cost for the same number of posts" },
      { value: "2x", label: "inbound: twice the calls and messages that begin with a post" },
    ],
  },
  benefits: {
    heading: "What runs by itself, and what waits for you",
    automated: {
      heading: "Runs by itself",
      items: [
        "Pictures sorted by job, with licence plates and faces blurred.",
        "Captions from the job’s own facts, with the brokerage name or licence number on them.",
        "An alert on your phone for every comment that asks for a price, a date or help.",
      ],
    },
    person: {
      heading: "Waits for you",
      items: [
        "Ten minutes on Friday to approve next week, on one page.",
        "Every answer with a price in it.",
        "Anything funny. Nobody has automated the dog.",
      ],
    },
  },
  cost: {
    heading: "Price it like any other small job",
    text: "Posting by hand looks free because you do it in the evening. Three posts a week, 35 minutes each, for 48 weeks at $95 an hour come to $7,980 a year.",
  },
  example: {
    heading: "Example: a landscaper with a dead season",
    text: "Take a landscape firm that posts daily in May and stops in July. Captions are queued a week ahead, and winter gets its own topics: drainage, lighting, snow contracts. A question asked in February is answered in February.",
    results: [
      { value: "No gaps", label: "in the calendar, winter included" },
      { value: "One list", label: "for every comment that asks for a price" },
    ],
  },
  outlook: {
    heading: "Feeds are becoming directories",
    text: "People now type “basement waterproofing Etobicoke” into a video app. A caption that names the place and the problem gets found; “another one done” doesn’t.",
  },
  closing: {
    heading: "Last month’s posts are in your camera roll.",
    text: "Pick ten pictures. We’ll lay out four weeks of posts from them on a calendar.",
    action: "Book Your Free Consultation",
  },
  next: ["/use-cases/content-creation", "/use-cases/leads"],
} as const satisfies UseCase;
