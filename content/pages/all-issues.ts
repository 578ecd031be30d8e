import type { PageHead } from "../site.ts";
import { newsletter } from "./newsletter.ts";

export const allIssues = {
  head: {
    title: "Every Issue of {newsletter}, by Year",
    description:
      "Every issue of {newsletter} that has gone out, by year, newest first, with its number, title and date.",
    path: newsletter.all.path,
  } satisfies PageHead,
  heading: "All issues",
  none: "The first issue is being written. Leave your address and we’ll email it to you.",
  undated: "Undated",
} as const;
