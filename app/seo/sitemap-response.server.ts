import { type ArchiveIndex, currentArchive } from "../newsletter/archive/archive-index.server.ts";
import type { RequestServices, SiteServices } from "../site-services.ts";
import { fileResponse, unavailableResponse } from "./file-response.server.ts";

/**
 * A sitemap as `write` makes it of the archive; 404 where it makes none. Without the issues it would say that they are
 * gone, so a failed read is a failure here too.
 */
export async function sitemapResponse(
  site: SiteServices & RequestServices,
  write: (archive: ArchiveIndex, edits: ReadonlyMap<number, string>) => string | null,
): Promise<Response> {
  try {
    const body = write(await currentArchive(site), (await site.issueEdits?.()) ?? new Map());
    if (body === null) return new Response("There is no such sitemap.\n", { status: 404 });
    return fileResponse(body, "application/xml");
  } catch (error) {
    site.reportError(error);
    return unavailableResponse();
  }
}
