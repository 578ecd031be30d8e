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
  intro:
    "Your crew takes the pictures. Automation captions and schedules them, and tells you who asks for a price.",
  drawing: { before: "A price question nobody saw", after: "50-60% more consistent" },
  problems: [
    {
      title: "Silent in your busy season",
      text: "The busy weeks are when people choose a contractor, and they find a page that’s gone quiet.",
    },
    {
      title: "The question under an old picture",
      text: "People ask under whatever post their search turned up, often last winter’s. Nobody looks there.",
    },
  ],
  figures: {
    heading: "What steady posting brings",
    items: [
      { value: "50-60%", label: "more consistent posting, busy season included" },
      { value: "66%", label: "higher engagement in comments, saves and messages" },
      { value: "30-40%", label: "lower labour cost for the same number of posts" },
      { value: "2x", label: "the inbound calls and messages from posts" },
    ],
  },
  benefits: {
    heading: "What runs by itself, and what waits for you",
    automated: {
      heading: "Runs by itself",
      items: [
        "Pictures sorted by job, with licence plates and faces blurred.",
        "Captions from the job’s own facts, with the brokerage’s name or the ECRA/ESA licence number.",
        "An alert on your phone when a comment asks for a price, a date or help.",
      ],
    },
    person: {
      heading: "Waits for you",
      items: [
        "Ten minutes on Friday to approve next week’s posts.",
        "Every answer with a price in it.",
        "Anything funny. Nobody has automated the dog.",
      ],
    },
  },
  example: {
    heading: "Example: a landscaper who goes quiet in July",
    text: "Daily posts in May, silence in July. Three posts a week by hand, 35 minutes each at $95 an hour, cost $7,980 in 48 weeks. Plan ahead, and winter gets its own topics: drainage, lighting, snow contracts.",
    results: [
      { value: "No gaps", label: "in the calendar, winter included" },
      { value: "One list", label: "of every comment that asks for a price" },
    ],
  },
  outlook: {
    text: "People type “basement waterproofing Etobicoke” into a video app: a caption that names the place and the problem gets found.",
  },
  closing: {
    heading: "Last month’s posts are in your camera roll.",
    text: "Pick twelve pictures. We’ll lay out four weeks of posts from them.",
    action: "Book Your Free Consultation",
  },
  next: "/use-cases/content-creation",
} as const satisfies UseCase;
