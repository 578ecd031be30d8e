import type { Transaction } from "kysely";
import type { Database } from "./tables.ts";

/** A write that many callers may ask for at once, for different items. */
export type SharedWrite<Item, Result> = {
  /** Two items with the same key are never written in one go; null where an item stands for itself. */
  keyOf(item: Item): string | null;
  /** Writes all of them in a few statements; null in place of an item that has to be written by itself. */
  writeAll(trx: Transaction<Database>, items: readonly Item[]): Promise<readonly (Result | null)[]>;
  writeOne(trx: Transaction<Database>, item: Item): Promise<Result>;
};
