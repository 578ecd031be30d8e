/** Where a page says that the booking was opened, or that the browser shows another page without asking for it. */
export const visitsPath = "/visits";

export const visitEvents = ["booking opened", "message sent", "reader confirmed"] as const;

export type VisitEvent = (typeof visitEvents)[number];

export type CountEvent = (event: VisitEvent) => void;
