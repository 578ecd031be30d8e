import { atomFeed } from "../seo/atom.server.ts";
import { readFeed } from "../seo/feed.server.ts";
import { feedPath } from "../seo/feed-path.ts";
import { fileResponse, unavailableResponse } from "../seo/file-response.server.ts";
import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/feeds-atom";

/** `/atom.xml`: The Matrix as Atom. */
export async function loader({ context }: Route.LoaderArgs) {
  const feed = await readFeed(context.get(siteContext), feedPath.atom);
  if (!feed) return unavailableResponse();
  return fileResponse(atomFeed(feed), "application/atom+xml");
}
