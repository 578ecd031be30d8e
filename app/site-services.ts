import { createContext } from "react-router";
import type { IssueSearch } from "#contracts/issue-search.ts";
import type { RequestOrigin } from "#contracts/request-origin.ts";
import type { SiteSettings } from "#contracts/site-settings.ts";
import type { PreparedBodyOf } from "#issue-body/prepare-issue-body.ts";
import type { DocumentParts } from "./newsletter/issue/parts-of-document.ts";

export type SiteServices = {
  settings: SiteSettings;
  /** The built-in backend, called in-process; null where a hosted one is configured. */
  backendFetch: ((request: Request, origin: RequestOrigin) => Promise<Response>) | null;
  /** What a page shows of an issue's body. */
  preparedBodyOf: PreparedBodyOf;
  /** The built-in backend's index of issues; null where a hosted one is configured. */
  issueSearch: IssueSearch | null;
  /**
   * A word that is another one after every change to the issues, read from where they are read; null where there is no such
   * word.
   */
  archiveVersion: (() => Promise<string>) | null;
  /** When issues were last changed, as ISO times by their ids; null where a hosted backend is configured, which doesn't say. */
  issueEdits: (() => Promise<ReadonlyMap<number, string>>) | null;
  /** Told of what goes wrong while a page is made; the visitor sees a plain page. */
  reportError: (error: unknown, origin?: RequestOrigin) => void;
};

/** What belongs to one request. */
export type RequestServices = {
  origin: RequestOrigin;
  /** Null where data alone is asked for. */
  partsOfDocument: DocumentParts | null;
};

/** How loaders and actions reach the services of the server that they run in. */
export const siteContext = createContext<SiteServices & RequestServices>();
