import { tagline } from "#content/site.ts";

/** What a shared link shows: a file under public/share/ with the page's title, 1200 × 630 pixels. */
export type SharePicture = {
  /** Names the file: `/share/<slug>.png`. */
  slug: string;
  /** The words in the picture. */
  alt: string;
};

/** In pixels; what sharing cards show uncropped. */
export const sharePictureSize = { width: 1200, height: 630 };

/** For addresses that have no picture of their own: error pages, search results, links in mail. */
export const siteSharePicture: SharePicture = { slug: "site", alt: tagline };

/** The picture of a page of the site. */
export function pageSharePicture(head: { path: string; title: string }): SharePicture {
  return { slug: head.path.slice(1).replaceAll("/", "-") || "home", alt: head.title };
}

/** Its address: `/share/<slug>.png`. */
export function sharePicturePath(slug: string): string {
  return `/share/${slug}.png`;
}
