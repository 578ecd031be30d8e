import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/feed";
import { feedResponse } from "./feed.server.ts";

/** The newsletter as RSS, Atom and JSON Feed, by the address. */
export function loader({ request, context }: Route.LoaderArgs) {
  return feedResponse(context.get(siteContext), new URL(request.url).pathname);
}
