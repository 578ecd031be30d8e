import type { InboxRow, InboxView } from "#contact/inbox.ts";
import { dayAhead } from "#content/toronto-time.ts";

export const viewNames: Record<InboxView, string> = {
  all: "All",
  new: "New",
  waiting: "Waiting",
  answered: "Answered",
  held: "May be spam",
  bin: "Bin",
};

type Work = Pick<InboxRow, "heldAt" | "answeredAt" | "remindOn" | "binnedAt">;

/** A message's state in a list, on a day in Toronto. */
export function stateInList({ heldAt, answeredAt, remindOn }: Work, today: string): string {
  if (heldAt) return "may be spam";
  if (remindOn === null) return answeredAt ? "answered" : "new";
  if (remindOn <= today) return answeredAt ? "no reply yet" : "back again";
  return `back ${dayAhead(remindOn, today)}`;
}

/** What is to be said of it on its own page, beside when it was answered. */
export function stateInWords({ heldAt, answeredAt, remindOn }: Work, today: string): string {
  if (heldAt) return "May be spam";
  if (remindOn === null) return answeredAt ? "" : "New";
  if (remindOn > today) return `Comes back ${dayAhead(remindOn, today)}.`;
  return answeredAt ? "It is back: you expected a reply." : "It is back: you put it off until now.";
}
