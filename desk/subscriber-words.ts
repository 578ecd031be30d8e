import type { ListedState } from "#newsletter/subscriber-states.ts";

export const subscriberWords: Record<ListedState | "held", { name: string; says: string }> = {
  confirmed: { name: "Confirmed", says: "Confirmed. Gets every issue." },
  unconfirmed: {
    name: "Not confirmed yet",
    says: "Has not confirmed yet. Gets nothing until the link in the first mail is opened.",
  },
  bounced: {
    name: "Mail came back",
    says: "Confirmed, but the address takes no mail. Gets nothing until you say that it works again.",
  },
  unsubscribed: { name: "Left", says: "Has left. Gets nothing." },
  held: {
    name: "May be spam",
    says: "A program may have signed up. Gets nothing until you say that it is a person.",
  },
};
