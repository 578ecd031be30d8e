/** Around the notices themselves. They are on every page, unlike what the notices say. */
export const noticeWords = { close: "Close notice" } as const;
