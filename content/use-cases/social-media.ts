import type { PageHead } from "../page-head.ts";

export const socialMedia = {
  head: {
    title: "Social Media Automation for Trades and Realtors",
    description:
      "Steady posting from real job photos, comments answered and enquiries routed. Social media automation for trade and real estate businesses in the GTA.",
    path: "/use-cases/social-media",
    keywords: [
      "social media automation Toronto",
      "contractor social media",
      "realtor social media",
    ],
  } satisfies PageHead,
  heading: "Post every week without thinking about it every day",
  lede: "Your crew takes the pictures already. Automation sorts, captions, schedules and tells you when somebody asks for a price.",
} as const;
