import type { PageHead } from "../page-head.ts";

export const useCases = {
  head: {
    title: "AI Automation Use Cases for Trades and Real Estate",
    description:
      "Seven places where trade, real estate and home-improvement businesses in Toronto and the GTA lose hours to paperwork, and what automation does about each.",
    path: "/use-cases",
  } satisfies PageHead,
  heading: "Where the hours go, and how to get them back",
  lede: "Seven kinds of work that trades, brokerages and renovators across the GTA hand to automation first.",
} as const;
