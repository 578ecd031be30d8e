import type { Logger } from "pino";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { headersOfEveryAnswer } from "./security-headers.ts";

/** What the HTTP adapter calls an address or a Host header out of which it can make no request. */
const unreadable = "RequestError";

/** Gives the answer to what never became a request that the app could be asked with: 400, with every answer's headers. */
export function refuseUnreadable(
  settings: SiteSettings,
  log: Logger,
): (error: unknown) => Response {
  const headers = [
    ...headersOfEveryAnswer(settings),
    ["content-type", "text/plain; charset=utf-8"],
    ["cache-control", "no-store"],
  ] as [string, string][];
  return (error) => {
    if (error instanceof Error && error.name === unreadable) {
      return new Response("That address can't be read.\n", { status: 400, headers });
    }
    log.error({ err: error }, "A request failed outside the app");
    return new Response("Something broke on our side.\n", { status: 500, headers });
  };
}
