import type { Logger } from "kysely";
import type { OnQueryError } from "./database-handle.ts";

/** Kysely's log, reduced to the one thing that is wanted of it; queries and what was in them go nowhere. */
export function tellOfErrors(onQueryError: OnQueryError): Logger {
  return (event) => {
    if (event.level === "error") onQueryError(event.error);
  };
}
