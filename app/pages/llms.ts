import { business } from "#content/business.ts";
import { hours, torontoHours } from "#content/hours.ts";
import { named, ownWords, pageWords } from "#content/own-words.ts";
import { allIssues } from "#content/pages/all-issues.ts";
import { newsletter } from "#content/pages/newsletter.ts";
import { feedPath, footer, postalAddress } from "#content/site.ts";
import { sitePages } from "#content/site-pages.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import { fileResponse } from "../seo/file-response.server.ts";
import { siteContext } from "../site-services.ts";
import type { Route } from "./+types/llms";

export function loader({ context }: Route.LoaderArgs) {
  const { settings } = context.get(siteContext);
  return fileResponse(named(settings, llmsText(settings)), "text/plain");
}

/** llmstxt.org. */
function llmsText(settings: SiteSettings): string {
  const { url, name, email, phone } = settings;
  const { services } = business;
  const link = (label: string, path: string, says: string) =>
    `- [${label}](${url}${path}): ${says}`;
  return [
    `# ${name}`,
    "",
    `> ${ownWords(settings, "footer", footer).description}`,
    "",
    ...services.items.map((service) => `- ${service.name}: ${service.description}`),
    "",
    `Hours: ${torontoHours(ownWords(settings, "hours", hours))}. Address: ${postalAddress(settings)}. Email: ${email}.${phone && ` Phone: ${phone}.`}`,
    "",
    "## Pages",
    "",
    ...sitePages
      .map((page) => pageWords(settings, page))
      .map(({ head }) => link(head.title, head.path, head.description)),
    "",
    `## ${newsletter.name}`,
    "",
    link(allIssues.head.title, allIssues.head.path, allIssues.head.description),
    link("RSS feed", feedPath.rss, "the latest issues in full"),
    link("Atom feed", feedPath.atom, "the same"),
    link("JSON feed", feedPath.json, "the same"),
    "",
  ].join("\n");
}
