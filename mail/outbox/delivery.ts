import type { OutboxKind, OutboxPayloads } from "./payloads.ts";

/** One attempt at one delivery, as a deliverer gets it. */
export type Delivery<Payload> = {
  /** The same at every attempt, so that a receiver can drop a repeat. */
  deliveryId: string;
  payload: Payload;
  /** When the row was committed; ISO 8601. */
  createdAt: string;
  /** Aborts when the attempt has run out of time or the worker stops. */
  signal: AbortSignal;
};

/** Resolves once the receiver has taken the delivery, with a note for the log where there is something to say. */
export type Deliverer<Payload> = (delivery: Delivery<Payload>) => Promise<string | undefined>;

export type Deliverers = { [Kind in OutboxKind]: Deliverer<OutboxPayloads[Kind]> };

/** A delivery that no further attempt can save. The row fails at once. */
export class PermanentDeliveryError extends Error {
  override name = "PermanentDeliveryError";
}

/** The receiver has answered that it won't take the delivery. It is asked a few times more, far apart. */
export class RefusedDeliveryError extends Error {
  override name = "RefusedDeliveryError";
}
