import type { HeldReason } from "#db/tables.ts";

const words: Record<HeldReason, string> = { hidden_field: "hidden field filled in" };

/** Why something is quarantined, or was until its release, in a few words; empty where it never was. */
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
