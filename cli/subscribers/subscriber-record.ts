import * as v from "valibot";
import { emailAddress } from "#contracts/text.ts";
import type { SubscriberListing } from "#newsletter/list-subscribers.ts";
import { CommandError, failure } from "../command-error.ts";

/** A subscriber as lists and exports show one: with the consent record, without the secret of the links. */
export function subscriberRecord(subscriber: SubscriberListing): Record<string, string | null> {
  const { state, bounce } = subscriber;
  return {
    email: subscriber.email,
    state: state === "unconfirmed" ? "subscribed" : state,
    subscribed_at: subscriber.subscribedAt,
    confirmed_at: subscriber.confirmedAt,
    unsubscribed_at: subscriber.unsubscribedAt,
    consent_text: subscriber.consentText,
    consent_page: subscriber.consentPage,
    consent_address: subscriber.consentAddress,
    held_at: subscriber.heldAt,
    held_reason: subscriber.heldReason,
    released_at: subscriber.releasedAt,
    bounced_at: subscriber.bouncedAt,
    bounced_by: bounce?.kind ?? null,
    bounce_code: bounce?.statusCode ?? null,
    bounce_answer: bounce?.answer ?? null,
  };
}

export const subscriberColumns = Object.keys(subscriberRecord({} as SubscriberListing));

export function readAddress(text: string): string {
  const parsed = v.safeParse(emailAddress("email"), text);
  if (parsed.success) return parsed.output;
  throw new CommandError(`${text} is not an email address.`);
}

export function notASubscriber(email: string): CommandError {
  return failure(`${email} is not among the subscribers.`);
}
