import type { HeldReason } from "#contact/held/held-reason.ts";

const words: Record<HeldReason, string> = {
  hidden_field: "hidden field filled in",
  too_fast: "sent too fast",
  same_mailbox: "mailbox just mailed",
};

/** Why something is held, or was until its release, in a few words; empty where it never was. */
export function heldWords({
  heldAt,
  heldReason,
}: {
  heldAt: string | null;
  heldReason: HeldReason | null;
}): string {
  if (heldReason === null) return "";
  return heldAt === null ? "released" : words[heldReason];
}
