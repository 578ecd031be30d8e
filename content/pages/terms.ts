import type { PageHead } from "../page-head.ts";

export const terms = {
  head: {
    title: "Terms & Conditions of Our Services",
    description:
      "The terms on which we consult, audit and build for our clients: ownership, payment, liability, termination and the law of Ontario that governs them.",
    path: "/terms",
  } satisfies PageHead,
  heading: "Terms & Conditions",
} as const;
