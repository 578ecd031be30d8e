import type { Kysely } from "kysely";
import type { SiteIdentity } from "#contracts/site-settings.ts";
import type { CountEvent } from "#contracts/visits.ts";
import type { Database } from "#db/tables.ts";

/** What the newsletter's features work with. */
export type NewsletterDeps = {
  db: Kysely<Database>;
  /** Who asks for consent and whose links go into mail. */
  site: SiteIdentity;
  /** The operator's own webhook; the only one that is ever called. */
  newsletterWebhookUrl: string | null;
  /** Wakes the outbox worker after a commit; the worker also looks by itself. */
  wakeOutbox: () => void;
  countEvent?: CountEvent;
  clock?: () => Date;
};
