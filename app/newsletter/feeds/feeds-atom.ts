import { siteContext } from "../../site-services.ts";
import type { Route } from "./+types/feeds-atom";
import { feedResponse } from "./feed.server.ts";

export function loader({ context }: Route.LoaderArgs) {
  return feedResponse(context.get(siteContext), "atom");
}
