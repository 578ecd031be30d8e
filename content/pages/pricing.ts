import type { PageHead } from "../page-head.ts";

export const pricing = {
  head: {
    title: "Pricing: You Set the Price of the Audit",
    description:
      "A free 30-minute consultation, a one-month audit that you price after delivery, and a custom quote for the build. How automation pricing works in the GTA.",
    path: "/pricing",
  } satisfies PageHead,
  heading: "You decide what the audit was worth",
  lede: "A free call, an audit you price after you have read it, and a custom quote for what you choose to build. Nothing in between.",
} as const;
