import type { ListingState, SubscriberListing } from "#newsletter/list-subscribers.ts";

/** The state as the commands name it. */
export function stateWord(
  state: ListingState,
): "subscribed" | "confirmed" | "bounced" | "unsubscribed" {
  return state === "unconfirmed" ? "subscribed" : state;
}

/** A subscriber as exports name the fields: the consent record with it, the secret of the links without. */
export function subscriberRecord(subscriber: SubscriberListing) {
  return {
    email: subscriber.email,
    state: stateWord(subscriber.state),
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
    bounced_by: subscriber.bounce?.kind ?? null,
    bounce_code: subscriber.bounce?.statusCode ?? null,
    bounce_answer: subscriber.bounce?.answer ?? null,
  };
}

export const subscriberColumns: (keyof ReturnType<typeof subscriberRecord>)[] = [
  "email",
  "state",
  "subscribed_at",
  "confirmed_at",
  "unsubscribed_at",
  "consent_text",
  "consent_page",
  "consent_address",
  "held_at",
  "held_reason",
  "released_at",
  "bounced_at",
  "bounced_by",
  "bounce_code",
  "bounce_answer",
];
