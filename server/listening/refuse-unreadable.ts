import { RequestError } from "@hono/node-server";
import type { Logger } from "pino";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { headersOfEveryAnswer } from "../document/security-headers.ts";

/**
 * Gives the answer to an address or a Host header out of which no request can be made that the app could be asked with:
 * 400, with the headers of every answer.
 */
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
    if (error instanceof RequestError) {
      return new Response("That address can't be read.\n", { status: 400, headers });
    }
    log.error({ err: error }, "A request failed outside the app");
    return new Response("Something broke on our side.\n", { status: 500, headers });
  };
}
