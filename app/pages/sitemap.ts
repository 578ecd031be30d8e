import { pathsOfAllIssues } from "../newsletter/load-issues.server.ts";
import { fileResponse, unavailableResponse } from "../seo/file-response.server.ts";
import { sitemap } from "../seo/sitemap.server.ts";
import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/sitemap";

/** Fails with the archive: without its issues it would report them gone. */
export async function loader({ context }: Route.LoaderArgs) {
  const { archive, settings, reportError } = context.get(siteContext);
  try {
    const issues = await archive.heads();
    const body = sitemap({
      siteUrl: settings.url,
      listPaths: pathsOfAllIssues(issues),
      issues,
      edits: await archive.edits(),
      now: new Date(),
    });
    return fileResponse(body, "application/xml");
  } catch (error) {
    reportError(error);
    return unavailableResponse();
  }
}
