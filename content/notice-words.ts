/** Separate from the notices' own words, because every page loads it. */
export const noticeWords = { close: "Close notice" } as const;
