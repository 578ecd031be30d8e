import { readFeed } from "../seo/feed.server.ts";
import { feedPath } from "../seo/feed-path.ts";
import { fileResponse, unavailableResponse } from "../seo/file-response.server.ts";
import { rssFeed } from "../seo/rss.server.ts";
import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/feeds-rss";

/** `/feed.xml`: The Matrix as RSS. */
export async function loader({ context }: Route.LoaderArgs) {
  const feed = await readFeed(context.get(siteContext), feedPath.rss);
  if (!feed) return unavailableResponse();
  return fileResponse(rssFeed(feed), "application/rss+xml");
}
