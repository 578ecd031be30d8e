import type { PageHead } from "../page-head.ts";

export const privacy = {
  head: {
    title: "Privacy Policy: What We Keep and Why",
    description:
      "What personal information we collect through this website and our work, what we use it for, how long we keep it, and how to see, correct or delete it.",
    path: "/privacy",
  } satisfies PageHead,
  heading: "Privacy Policy",
} as const;
