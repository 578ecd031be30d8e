import type { PageHead } from "../page-head.ts";

export const about = {
  head: {
    title: "About Us: Automation for GTA Trades",
    description:
      "Who we are, why we exist and how we work with trade, real estate and home-improvement businesses in Toronto and the Greater Toronto Area.",
    path: "/about",
  } satisfies PageHead,
  heading: "We measure before we cut",
  lede: "We automate the office work of trade, real estate and home-improvement businesses in Toronto and the GTA.",
} as const;
