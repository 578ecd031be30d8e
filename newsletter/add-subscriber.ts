import type { Kysely } from "kysely";
import type { Database, Db } from "#db/tables.ts";
import { mailboxKey } from "#mail/mailbox-key.ts";
import { applyEvent } from "./apply-event.ts";
import { loadSubscriber } from "./load-subscriber.ts";
import type { OperatorDeps } from "./subscribe.ts";
import { type SubscriberState, subscriberStates, type Transition } from "./subscriber-states.ts";

type Answer = Transition["answer"];

type AddedPerson = {
  email: string;
  wording: string;
  agreedAt: Date;
  endsAt: Date | null;
};

/** Adds a subscriber whose consent the operator can prove. Not after an unsubscribe or erasure. */
export async function addSubscriber(
  { db, newsletterWebhookUrl, now }: OperatorDeps,
  person: AddedPerson,
): Promise<{ ok: true; id: number } | { ok: false; state: SubscriberState; answer: Answer }> {
  const { email, wording, agreedAt, endsAt } = person;
  return await db.transaction().execute(async (trx) => {
    const loaded = await loadSubscriber(trx, mailboxKey(email), now);
    const { answer } = subscriberStates[loaded.state].add;
    if (answer !== "ok") return { ok: false, state: loaded.state, answer };
    const nothing = { page: null, networkAddress: null, suspicion: null };
    const signUp = { email, wording, ...nothing, endsAt };
    const happening = { event: "add", now, occurredAt: agreedAt, newsletterWebhookUrl } as const;
    await applyEvent(trx, loaded, { ...happening, signUp });
    const { row } = await loadSubscriber(trx, loaded.mailbox, now);
    return { ok: true, id: row?.id ?? 0 };
  });
}

export async function endImpliedConsents(
  db: Kysely<Database>,
  { now, newsletterWebhookUrl }: Omit<OperatorDeps, "db">,
): Promise<number> {
  const over = await expired(db, now).execute();
  for (const { mailbox } of over) {
    await db.transaction().execute(async (trx) => {
      const still = await expired(trx, now).where("mailbox_key", "=", mailbox).execute();
      if (still.length === 0) return;
      const loaded = await loadSubscriber(trx, mailbox, now);
      const way = "expired" as const;
      await applyEvent(trx, loaded, { event: "leave", way, now, newsletterWebhookUrl });
    });
  }
  return over.length;
}

function expired(db: Db, now: Date) {
  return db
    .selectFrom("subscribers")
    .select("mailbox_key as mailbox")
    .where("consent_ends_at", "<=", now.toISOString())
    .where("unsubscribed_at", "is", null);
}
