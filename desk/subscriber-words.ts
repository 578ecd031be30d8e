import type { ListedState } from "#newsletter/subscriber-states.ts";

export const subscriberWords: Record<ListedState | "held", { name: string; says: string }> = {
  confirmed: { name: "Confirmed", says: "Confirmed. Gets every issue." },
  unconfirmed: { name: "Not confirmed yet", says: "Has not confirmed yet. Gets nothing." },
  bounced: {
    name: "Bounced",
    says: "Confirmed, but the address takes no mail. Gets nothing until released.",
  },
  unsubscribed: { name: "Left", says: "Has left. Gets nothing." },
  held: {
    name: "Quarantined",
    says: "In quarantine, since a program may have signed up. Gets nothing until released.",
  },
};
