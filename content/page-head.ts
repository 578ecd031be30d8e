/** What every page's words begin with. */
export type PageHead = {
  /** For search engines and the tab: 15 to 60 characters. */
  title: string;
  /** For search engines: 70 to 160 characters. */
  description: string;
  path: string;
  keywords?: readonly string[];
};
