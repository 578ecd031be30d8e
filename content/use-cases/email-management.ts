import type { PageHead } from "../page-head.ts";

export const emailManagement = {
  head: {
    title: "Email Management Automation for Small Firms",
    description:
      "Sort, draft and route the inbox before you sit down at it. Email automation for trade, real estate and home-improvement businesses in Toronto and the GTA.",
    path: "/use-cases/email-management",
    keywords: [
      "email automation Toronto",
      "inbox automation contractors",
      "real estate email automation",
    ],
  } satisfies PageHead,
  heading: "Open an inbox that is already sorted",
  lede: "Quotes, change orders, suppliers and spam arrive in one pile. Automation reads, files, drafts and puts the urgent ones on top.",
} as const;
