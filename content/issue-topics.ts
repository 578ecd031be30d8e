import { businessOperations } from "./use-cases/business-operations.ts";
import { clientManagement } from "./use-cases/client-management.ts";
import { contentCreation } from "./use-cases/content-creation.ts";
import { emailManagement } from "./use-cases/email-management.ts";
import { leads } from "./use-cases/leads.ts";
import { socialMedia } from "./use-cases/social-media.ts";
import { specializedAgents } from "./use-cases/specialized-agents.ts";

type Topic = { useCase: { head: { path: string }; name: string }; words: readonly string[] };

const topics: readonly Topic[] = [
  {
    useCase: leads,
    words: ["missed call", "inquiry", "inquirie", "new lead", "online lead", "lead follow-up"],
  },
  { useCase: clientManagement, words: ["change order", "client update", "approval", "sign-off"] },
  {
    useCase: businessOperations,
    words: ["invoice", "invoicing", "payroll", "bookkeeping", "holdback", "purchase order"],
  },
  { useCase: emailManagement, words: ["inbox", "email reply", "email replie", "email thread"] },
  {
    useCase: contentCreation,
    words: ["blog", "blog post", "article", "case study", "project page"],
  },
  { useCase: socialMedia, words: ["social media", "Instagram", "Facebook", "LinkedIn", "caption"] },
  { useCase: specializedAgents, words: ["AI agent", "specialized agent"] },
];

/**
 * The words by which an issue is about a use case: it links to the one it says most often (app/newsletter). Plurals in
 * -s are understood.
 */
export const issueTopics = topics.map(({ useCase, words }) => ({
  path: useCase.head.path,
  name: useCase.name,
  words,
}));
