import type { PageHead } from "../page-head.ts";

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
  lede: "We are still drawing this one. It isn’t on offer yet.",
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
        text: "Seven kinds of office work that trades, brokerages and renovators hand over first, each with its drawing.",
      },
      {
        label: "Read The Matrix",
        path: "/newsletter",
        text: "Our weekly newsletter: one kind of tool put to the test, one piece of work taken apart, one thing to set up before Monday.",
      },
    ],
  },
} as const;
