import type { PageHead } from "../page-head.ts";

export const clientManagement = {
  head: {
    title: "Client Management Automation for GTA Businesses",
    description:
      "Keep every client told, every promise written down and every change order signed. Client management automation for contractors, brokers and renovators.",
    path: "/use-cases/client-management",
    keywords: [
      "client management automation",
      "CRM automation Toronto",
      "contractor client communication",
    ],
  } satisfies PageHead,
  heading: "Keep every client told before they have to ask",
  lede: "Most disputes begin with silence. Automation sends the update, files the approval and reminds you who is waiting.",
} as const;
