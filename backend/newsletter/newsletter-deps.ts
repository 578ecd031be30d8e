import type { BackendOptions } from "../backend.ts";

/** What the newsletter's features work with. */
export type NewsletterDeps = Pick<
  BackendOptions,
  "db" | "site" | "newsletterWebhookUrl" | "wakeOutbox"
> & { clock?: () => Date };
