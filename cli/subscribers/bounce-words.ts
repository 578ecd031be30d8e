import type { SubscriberListing } from "#backend/newsletter/list-subscribers.ts";

const kinds = { hard: "hard bounce", soft: "soft bounces", complaint: "complaint" };

/** What ended mailing an address. The words of the mail server are in {@link SubscriberListing.bounce}. */
export function bounceWords({ bouncedAt, bounce }: SubscriberListing): string {
  if (bouncedAt === null) return "";
  return bounce ? kinds[bounce.kind] : "came so with a list";
}
