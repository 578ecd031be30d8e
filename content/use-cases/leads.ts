import type { PageHead } from "../page-head.ts";

export const leads = {
  head: {
    title: "Lead Automation for Toronto Trades and Realtors",
    description:
      "Answer every lead in under a minute, day or night. How lead follow-up automation works for GTA contractors, agents and renovators, and what it returns.",
    path: "/use-cases/leads",
    keywords: ["lead automation Toronto", "contractor lead follow-up", "real estate lead response"],
  } satisfies PageHead,
  heading: "Answer every lead while it is still warm",
  lede: "A lead that waits an hour has usually called someone else. Automation answers in seconds and hands you the ones worth a call.",
} as const;
