/** What the button of a page behind a link in mail posts, by which it's told from a scanner that posts nothing. */
export const mailLinkButton = { name: "by", value: "button" } as const;
