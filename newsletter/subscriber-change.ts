import type { HeldReason } from "#contact/held/held-reason.ts";
import type { Happening } from "./happening.ts";
import type { LoadedSubscriber } from "./load-subscriber.ts";
import type { PlannedMail } from "./send-sign-up-news.ts";
import { hasBounced, type SubscriberState, type Transition } from "./subscriber-states.ts";
import { newSubscriberToken } from "./subscriber-token.ts";

/** The columns of a subscriber that an event changes. */
export type Change = {
  email?: string;
  token?: string;
  confirm_token?: string | null;
  subscribed_at?: string;
  confirmed_at?: string | null;
  unsubscribed_at?: string | null;
  pending_email?: string | null;
  pending_since?: string | null;
  mail_delivery_id?: string;
  held_at?: string | null;
  held_reason?: HeldReason | null;
  released_at?: string | null;
  webhook_told_at?: string | null;
  bounced_at?: string | null;
  moved_from_id?: number;
};

/** Whether it leaves the mailbox in another state. */
export const changesState = ({ state }: LoadedSubscriber, { to }: Transition) => to !== state;

const nothingPending = { pending_email: null, pending_since: null, held_at: null } as const;

/** The columns that the transition changes; null where it changes none. */
export function changeOf(
  loaded: LoadedSubscriber,
  transition: Transition,
  happening: Happening,
  mail: PlannedMail | null,
): Change | null {
  const { event, signUp, arrival, newsletterWebhookUrl } = happening;
  const { row } = loaded;
  const now = happening.now.toISOString();
  const endedAt = (happening.occurredAt ?? happening.now).toISOString();
  const change: Change = {};
  const isNews = changesState(loaded, transition);
  const beside = isBesideStanding(transition.to);
  if (mail) change.mail_delivery_id = mail.deliveryId;
  if (mail?.confirmToken) change.confirm_token = mail.confirmToken;
  if (signUp && (isNews || mail?.confirmToken)) {
    Object.assign(change, { pending_email: signUp.email, pending_since: now });
    if (!beside) Object.assign(change, { email: signUp.email, subscribed_at: now });
    const isHeld = event === "sign up, suspected";
    change.held_at = isHeld ? now : null;
    change.held_reason = isHeld ? signUp.suspicion : null;
    if (!row) change.token = mail?.token ?? newSubscriberToken();
  }
  if (event === "release" && isNews) Object.assign(change, { held_at: null, released_at: now });
  if (transition.to === "bounced" && isNews) change.bounced_at = endedAt;
  if (hasBounced(loaded.state) && transition.to === "confirmed") {
    Object.assign(change, { ...nothingPending, bounced_at: null });
  }
  if (event === "confirm" && isNews && row) {
    const { pending_email, pending_since, email, subscribed_at } = row;
    Object.assign(change, {
      ...nothingPending,
      email: pending_email ?? email,
      subscribed_at: pending_since ?? subscribed_at,
      confirmed_at: now,
      unsubscribed_at: null,
      // Of who bounced before leaving: the mail with the link has arrived.
      bounced_at: null,
    });
  }
  if (event === "move here" && isNews && arrival) {
    Object.assign(change, {
      ...nothingPending,
      email: arrival.email,
      subscribed_at: arrival.proof.occurredAt,
      confirmed_at: now,
      unsubscribed_at: null,
      bounced_at: null,
      moved_from_id: arrival.fromId,
      token: row?.token ?? newSubscriberToken(),
    });
  }
  if ((event === "leave" || event === "move away") && isNews) {
    Object.assign(change, { ...nothingPending, unsubscribed_at: row?.unsubscribed_at ?? endedAt });
  }
  const { tell } = transition;
  if (tell && newsletterWebhookUrl !== null) {
    const begins = tell === "subscribed" || tell === "confirmed";
    change.webhook_told_at = begins ? (row?.webhook_told_at ?? now) : null;
  }
  return Object.keys(change).length === 0 ? null : change;
}

/** Whether what waits stands beside somebody who has left or bounced, who stays as they are until it is confirmed. */
function isBesideStanding(state: SubscriberState): boolean {
  return state.endsWith("after leaving") || hasBounced(state);
}
