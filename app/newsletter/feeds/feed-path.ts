export const feedPath = { rss: "/feed.xml", atom: "/atom.xml" } as const;
