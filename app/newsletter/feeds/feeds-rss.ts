import { fileResponse, unavailableResponse } from "../../seo/file-response.server.ts";
import { siteContext } from "../../site-services.ts";
import type { Route } from "./+types/feeds-rss";
import { readFeed } from "./feed.server.ts";
import { feedPath } from "./feed-path.ts";
import { rssFeed } from "./rss.server.ts";

/** `/feed.xml`: The Matrix as RSS. */
export async function loader({ context }: Route.LoaderArgs) {
  const feed = await readFeed(context.get(siteContext), feedPath.rss);
  if (!feed) return unavailableResponse();
  return fileResponse(rssFeed(feed), "application/rss+xml");
}
