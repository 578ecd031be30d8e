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
  tellMe: {
    heading: "Tell me when it’s drawn",
    text: "{newsletter}, our weekly newsletter, will say so first. Leave your address there, or write to us.",
    action: { label: "Leave your email address", path: "/newsletter" },
    links: [
      { label: "Write to us", path: "/contact" },
      { label: "See the seven that are drawn", path: "/use-cases" },
    ],
  },
} as const;
