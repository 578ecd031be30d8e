import type { PageHead } from "../page-head.ts";

export const businessOperations = {
  head: {
    title: "Business Operations Automation in Toronto",
    description:
      "Invoices, payroll, purchasing and reports that run on time without a second typing. Back-office automation for trades and home-improvement firms in the GTA.",
    path: "/use-cases/business-operations",
    keywords: [
      "business operations automation",
      "invoice automation Toronto",
      "payroll automation contractors",
    ],
  } satisfies PageHead,
  heading: "Let the back office run on schedule",
  lede: "Invoices out the day the job closes, hours into payroll once, and a forecast you did not build in a spreadsheet at midnight.",
} as const;
