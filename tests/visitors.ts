import type { Kysely } from "kysely";
import { submitMessage } from "#contact/messages.ts";
import type { Database } from "#db/tables.ts";
import { subscribe } from "#newsletter/subscribers/subscribe.ts";
import { contactMessage } from "./contact-message.ts";
import { testSite } from "./site-identity.ts";

type Visit = {
  at?: Date;
  clientAddress?: string | null;
  suspicion?: "hidden_field" | null;
  newsletterWebhookUrl?: string | null;
};

function depsOf(db: Kysely<Database>, { at, newsletterWebhookUrl = null }: Visit) {
  const clock = () => at ?? new Date();
  return { db, site: testSite, newsletterWebhookUrl, wakeOutbox() {}, clock };
}

export function signUp(db: Kysely<Database>, email: string, visit: Visit = {}) {
  const { clientAddress = "203.0.113.9", suspicion = null } = visit;
  const origin = { referrer: "/newsletter", requestUrl: testSite.url, clientAddress, suspicion };
  return subscribe(depsOf(db, visit), { email, ...origin });
}

export function sendMessage(
  db: Kysely<Database>,
  words: Partial<typeof contactMessage> = {},
  visit: Visit = {},
) {
  const { clientAddress = "203.0.113.9", suspicion = null } = visit;
  const origin = { idempotencyKey: null, clientAddress, suspicion };
  return submitMessage(depsOf(db, visit), { ...contactMessage, ...words }, origin);
}
