import type { Kysely } from "kysely";
import type { WebhookEvent } from "#contracts/webhook-event.ts";
import type { Database, Priority } from "#db/tables.ts";
import { enqueueAll, type OutboxJob, type OutboxKind } from "#mail/outbox-jobs.ts";
import type { LoadedSubscriber } from "./load-subscriber.ts";
import type { Transition } from "./subscriber-states.ts";

/** A mail about a sign-up that is due: to whom, with which links, and when. */
export type PlannedMail = {
  deliveryId: string;
  at: Date;
  to: string;
  token: string;
  /** Null says that there is nothing to confirm. */
  confirmToken: string | null;
};

type News = {
  loaded: Pick<LoadedSubscriber, "row">;
  transition: Pick<Transition, "tell">;
  mail: PlannedMail | null;
  /** As the webhook knows the subscriber. */
  email: string;
  now: Date;
  newsletterWebhookUrl: string | null;
  requestId?: string | null;
  priority?: Priority;
  /** Given where nothing of the person may stay: the call goes with its arrival. */
  erasedAt?: Date;
};

/** Writes down what leaves the house after events. */
export async function sendSignUpNews(trx: Kysely<Database>, news: readonly News[]): Promise<void> {
  await enqueueAll(trx, signUpNews(news));
}

/** What leaves the house after events: the mails, and what the webhook is told. */
export function signUpNews(news: readonly News[]): OutboxJob<OutboxKind>[] {
  return news.flatMap(entriesOf);
}

function entriesOf({
  loaded,
  transition,
  mail,
  email,
  now,
  newsletterWebhookUrl,
  requestId,
  priority,
  erasedAt,
}: News): OutboxJob<OutboxKind>[] {
  const entries: OutboxJob<OutboxKind>[] = [];
  if (mail) {
    const { deliveryId, at, to, token, confirmToken } = mail;
    const payload = { email: to, token, confirmToken };
    entries.push({
      kind: "confirmation-email",
      payload,
      now,
      deliveryId,
      notBefore: at,
      requestId,
      priority,
    });
  }
  const type = eventOf(transition.tell, loaded.row?.webhook_told_at ?? null);
  if (type && newsletterWebhookUrl !== null) {
    const payload = { type, timestamp: now.toISOString(), data: { email } };
    entries.push({ kind: "newsletter-webhook", payload, now, requestId, erasedAt });
  }
  return entries;
}

function eventOf(tell: Transition["tell"], toldAt: string | null): WebhookEvent["type"] | null {
  if (tell === undefined) return null;
  if (tell !== "ended") return `newsletter.${tell}`;
  return toldAt === null ? null : "newsletter.unsubscribed";
}
