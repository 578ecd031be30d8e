import type { HeldReason } from "#contact/held/held-reason.ts";
import type { Priority } from "#db/tables.ts";
import type { LeavingWay } from "./consent-event.ts";
import type { SubscriberEvent, Transition } from "./subscriber-states.ts";

/** A sign-up as it came: the spelling, and what proves the consent. */
export type SignUp = {
  email: string;
  wording: string;
  page: string | null;
  networkAddress: string | null;
  suspicion: HeldReason | null;
};

/** What a reader brings along from the address before: the consent that stands, and where it stands. */
export type Arrival = {
  /** The new address, as typed. */
  email: string;
  fromId: number;
  proof: {
    occurredAt: string;
    wordingHash: string;
    page: string | null;
    networkAddress: string | null;
    carriedHash: string;
  };
};

export type HappeningEvent = Exclude<SubscriberEvent, "remove" | "erase" | `import ${string}`>;

export type Happening = {
  event: HappeningEvent;
  now: Date;
  /** When somebody left or bounced, where it is heard of only now. */
  occurredAt?: Date;
  newsletterWebhookUrl: string | null;
  requestId?: string | null;
  /** When its mail is sent, where mail waits at a pace. */
  priority?: Priority;
  signUp?: SignUp;
  /** Given with "move here". */
  arrival?: Arrival;
  way?: LeavingWay;
};

export type Applied = {
  answer: Transition["answer"];
  /** When a mail goes out at the earliest, where one is written. */
  mailAt: Date | null;
};
