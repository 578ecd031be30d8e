import type { Archive } from "#contracts/ports.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import type { Db } from "#db/tables.ts";
import { prepareIssueBody } from "#issue-body/prepare-issue-body.ts";
import { createArchive } from "#newsletter/archive.ts";
import { ownStyles } from "#server/document.ts";
import type { SiteSource } from "#server/start-server.ts";
import type { Desk, PreviewedIssue } from "./desk-context.ts";

/** An id that no published issue has. */
const draftIssueId = 2_147_483_647;

/** Their policy lets none run; a browser would log each as refused. */
const scripts = /<script\b[^>]*>[\s\S]*?<\/script>|<link[^>]* rel="modulepreload"[^>]*>/g;

/** Makes pages of the public site as they would be. */
export function createPreviews({
  site,
  settings,
  db,
  reportError,
}: {
  site: SiteSource;
  settings: SiteSettings;
  db: Db;
  reportError: (error: unknown) => void;
}): Pick<Desk, "makeIssuePage" | "makeSitePage"> {
  const archive = createArchive(db);

  async function makePage(address: string, words: SiteSettings["words"], shown: Archive) {
    const services = { archive: shown, formsFor: () => ({}) as never, reportError };
    const page = site.createSite(
      { ...services, settings: { ...settings, words } },
      { isPreview: true },
    );
    const origin = { clientAddress: null, requestId: "desk", hasMissingPage: false, nonce: "" };
    const made = await page(new Request(settings.url + address), origin);
    const styles = `<style>${ownStyles(site.styles, settings)}</style></head>`;
    return (await made.text()).replaceAll(scripts, "").replace("</head>", () => styles);
  }

  return {
    async makeIssuePage({ id, title, publishDate, html }: PreviewedIssue): Promise<string> {
      const heads = await archive.heads();
      const position = id === null ? 0 : heads.findIndex((head) => head.id === id);
      const shownId = id ?? draftIssueId;
      const number = heads[position]?.id === id ? heads[position].number : heads.length + 1;
      const head = { id: shownId, number, title: title.trim() || `Issue #${number}`, publishDate };
      return await makePage(`/newsletter/${shownId}`, settings.words, {
        ...archive,
        heads: async () => [head, ...heads.filter((other) => other.id !== shownId)],
        issue: async () => ({
          ...head,
          ...prepareIssueBody(html),
          older: (id === null ? heads[0] : heads[position + 1]) ?? null,
          newer: null,
        }),
      });
    },
    makeSitePage: (address, words) => makePage(address, words, archive),
  };
}
