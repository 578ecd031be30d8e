import type { PageHead } from "../page-head.ts";

export const specializedAgents = {
  head: {
    title: "Specialized AI Agents for Small Businesses",
    description:
      "What an AI agent is, how one is built around a single job in your business, and what it returns. Custom agents for trades and real estate across the GTA.",
    path: "/use-cases/specialized-agents",
    keywords: ["AI agents Toronto", "custom AI agents small business", "AI automation GTA"],
  } satisfies PageHead,
  heading: "An agent built for one job, and only yours",
  lede: "Not a chatbot with your logo. A small program that does one piece of your office work, by your rules, and asks when it is unsure.",
} as const;
