import type { RowState } from "#db/tables.ts";

export const rowStates: readonly RowState[] = [
  "waiting",
  "handed_over",
  "deferred",
  "accepted",
  "refused",
  "withdrawn",
];

/**
 * The local part of a mail's Message-ID, the same at every attempt and in every send. `kept` is that of an earlier
 * send.
 */
export function rowMessageId(sendKey: string, { id, kept }: { id: number; kept: string | null }) {
  return kept ?? `${sendKey}.${id}`;
}
