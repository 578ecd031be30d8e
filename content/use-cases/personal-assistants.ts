import type { PageHead } from "../site.ts";

export const personalAssistants = {
  head: {
    title: "Personal AI Assistants: Coming Soon",
    description:
      "Personal AI assistants for owners of trade, real estate and home-improvement businesses in Toronto and the GTA. Coming soon.",
    path: "/use-cases/personal-assistants",
    keywords: ["personal AI assistant", "AI assistant for contractors"],
  } satisfies PageHead,
  name: "Personal Assistants",
  heading: "Personal Assistants: Coming Soon",
  lede: "We’re still drawing this one. We don’t offer it yet.",
  titleBlock: [
    { key: "Drawing", value: "Personal assistants" },
    { key: "Status", value: "Not issued" },
  ],
  meanwhile: {
    heading: "Open today",
    links: [
      {
        label: "See the use cases",
        path: "/use-cases",
        text: "Seven kinds of office work that trades, brokerages and renovators hand over first, each with a drawing.",
      },
      {
        label: "Read The Matrix",
        path: "/newsletter",
        text: "Our weekly newsletter: how to test a tool before you pay for it, and what the work costs you today.",
      },
    ],
  },
} as const;
