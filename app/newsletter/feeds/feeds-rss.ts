import { siteContext } from "../../site-services.ts";
import type { Route } from "./+types/feeds-rss";
import { feedResponse } from "./feed.server.ts";

/** `/feed.xml`: The Matrix as RSS. */
export function loader({ context }: Route.LoaderArgs) {
  return feedResponse(context.get(siteContext), "rss");
}
