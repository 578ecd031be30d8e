import * as v from "valibot";
import { emailAddress } from "#contracts/text.ts";
import { listSubscribers, type SubscriberListing } from "#newsletter/list-subscribers.ts";
import type { OpenStore } from "#server/open-store.ts";
import { CommandError, failure } from "../command-error.ts";
import { recordOf } from "../records.ts";

type SubscriberFields = Record<string, (subscriber: SubscriberListing) => string | null>;

const fields: SubscriberFields = {
  email: ({ email }) => email,
  state: ({ state }) => (state === "unconfirmed" ? "subscribed" : state),
  subscribed_at: ({ subscribedAt }) => subscribedAt,
  confirmed_at: ({ confirmedAt }) => confirmedAt,
  unsubscribed_at: ({ unsubscribedAt }) => unsubscribedAt,
  consent_text: ({ consentText }) => consentText,
  consent_page: ({ consentPage }) => consentPage,
  consent_address: ({ consentAddress }) => consentAddress,
  held_at: ({ heldAt }) => heldAt,
  held_reason: ({ heldReason }) => heldReason,
  released_at: ({ releasedAt }) => releasedAt,
  bounced_at: ({ bouncedAt }) => bouncedAt,
  bounced_by: ({ bounce }) => bounce?.kind ?? null,
  bounce_code: ({ bounce }) => bounce?.statusCode ?? null,
  bounce_answer: ({ bounce }) => bounce?.answer ?? null,
};

export const subscriberColumns = Object.keys(fields);

/** A subscriber as lists and exports show one: with the consent record, without the secret of the links. */
export function subscriberRecord(subscriber: SubscriberListing): Record<string, string | null> {
  return recordOf(fields, subscriber);
}

const pageRows = 500;

export type SubscriberFilter = { confirmed?: boolean; bounced?: boolean; held?: boolean };

/** Subscribers in the order of their sign-up, or the newest first; where asked, only some of them. */
export async function* allSubscribers(
  { db }: OpenStore,
  { confirmed, bounced, held }: SubscriberFilter,
  { limit = Number.POSITIVE_INFINITY, newestFirst = false } = {},
): AsyncGenerator<SubscriberListing> {
  const state = confirmed ? "confirmed" : bounced ? "bounced" : undefined;
  let afterId: number | undefined;
  let left = limit;
  while (left > 0) {
    const rows = Math.min(pageRows, left);
    const page = await listSubscribers(db, { state, held, afterId, newestFirst, limit: rows });
    yield* page;
    left -= page.length;
    afterId = page.at(-1)?.id;
    if (page.length < pageRows) return;
  }
}

export function readAddress(text: string): string {
  const parsed = v.safeParse(emailAddress("email"), text);
  if (parsed.success) return parsed.output;
  throw new CommandError(`${text} is not an email address.`);
}

export function notASubscriber(email: string): CommandError {
  return failure(`${email} is not among the subscribers.`);
}
