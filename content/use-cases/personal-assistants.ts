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
  intro: "We’re still drawing this one. We don’t offer it yet.",
  titleBlock: [{ key: "Status", value: "Planned, not for sale" }],
  planned: {
    heading: "What it would do",
    rooms: [
      {
        name: "Morning sheet",
        holds: "the day’s jobs, the callbacks and what needs your OK, before the first coffee.",
      },
      {
        name: "Spoken note",
        holds: "said in the truck, filed under the job, with any promise you made.",
      },
      {
        name: "Date kept",
        holds: "a week’s warning before a clearance or condition lapses.",
      },
    ],
  },
  tellMe: {
    text: "{newsletter}, our weekly newsletter, will tell you when it’s ready.",
    action: { label: "Leave your email address", path: "/newsletter" },
  },
  closing: {
    heading: "Which of the three would you use first?",
    text: "We’ll start with what owners ask for.",
    links: [
      { label: "Write to us", path: "/contact" },
      { label: "See the seven we’ve drawn", path: "/use-cases" },
    ],
  },
} as const;
