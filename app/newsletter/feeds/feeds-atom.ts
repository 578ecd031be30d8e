import { fileResponse, unavailableResponse } from "../../seo/file-response.server.ts";
import { siteContext } from "../../site-services.ts";
import type { Route } from "./+types/feeds-atom";
import { atomFeed } from "./atom.server.ts";
import { readFeed } from "./feed.server.ts";
import { feedPath } from "./feed-path.ts";

/** `/atom.xml`: The Matrix as Atom. */
export async function loader({ context }: Route.LoaderArgs) {
  const feed = await readFeed(context.get(siteContext), feedPath.atom);
  if (!feed) return unavailableResponse();
  return fileResponse(atomFeed(feed), "application/atom+xml");
}
