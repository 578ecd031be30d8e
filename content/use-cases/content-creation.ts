import type { PageHead } from "../page-head.ts";

export const contentCreation = {
  head: {
    title: "Content Creation Automation for GTA Firms",
    description:
      "Turn finished jobs into articles, project pages and listings without a marketing hire. What content automation does for trades and realtors, and what it saves.",
    path: "/use-cases/content-creation",
    keywords: ["content automation Toronto", "contractor blog automation", "real estate content"],
  } satisfies PageHead,
  heading: "Turn finished jobs into words that sell the next one",
  lede: "The photos are on your phone and the story is in your head. Automation gets both onto your website each week.",
} as const;
