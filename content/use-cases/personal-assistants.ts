import type { PageHead } from "../page-head.ts";

export const personalAssistants = {
  head: {
    title: "Personal AI Assistants: Coming Soon",
    description:
      "Personal AI assistants for owners of trade, real estate and home-improvement businesses in Toronto and the GTA. Coming soon.",
    path: "/use-cases/personal-assistants",
    keywords: ["personal AI assistant", "AI assistant for contractors"],
  } satisfies PageHead,
  heading: "Coming Soon",
  lede: "An assistant that knows your calendar, your jobs and your way of saying no. We are still testing it on our own week.",
} as const;
