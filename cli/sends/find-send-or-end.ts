import { findSend, type SendListing } from "#newsletter/sends/find-send.ts";
import type { OpenStore } from "#server/open-store.ts";
import { CommandError } from "../command-error.ts";

/** The send of an id; ends the command where there is none. */
export async function findSendOrEnd({ db }: OpenStore, id: number): Promise<SendListing> {
  const found = await findSend(db, id);
  if (found.ok) return found.send;
  throw new CommandError(`There is no send ${id}. "sends list" shows those there are.`, {
    exitCode: 1,
  });
}
