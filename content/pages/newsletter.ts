import { headlineFigures } from "../headline-figures.ts";
import type { PageHead } from "../site.ts";

export const newsletter = {
  head: {
    title: "{newsletter}: Weekly AI Newsletter for GTA Trades",
    description:
      "{newsletter} is one email a week on AI for trade, real estate and home-improvement businesses in Toronto and the GTA. Read every issue here.",
    path: "/newsletter",
  } satisfies PageHead,
  name: "{newsletter}",
  intro: "One email a week on AI for trades, real estate and home improvement.",
  /** Above the issue. */
  audience: `{newsletter} says what a tool is worth, and when to do without. More than ${headlineFigures.subscribers.replace("+", "")} people read it.`,

  archive: {
    label: "Choose an issue to open",
    latest: "Latest Issue",
    submit: "Read",
    more: "More issues",
    loading: "Loading the newsletter",
    unknown: "That issue isn’t in the archive. Here is the latest one.",
  },

  all: { path: "/newsletter/all", link: "All issues, by year" },

  failure: {
    heading: "Ready for Newsletter Content",
    text: "Failed to load newsletters. Table may not exist yet.",
    next: "Try again in a minute.",
    retry: "Check for Updates",
  },

  empty: {
    badge: "Issue #1 / Last Week",
    heading: "Welcome to {newsletter}",
    paragraphs: [
      "We’re writing the first issue now. It takes one job that eats your evenings and shows what it costs you, how much of it a machine can do today, and which part still needs you.",
      "Leave your address below and we’ll email it to you.",
    ],
  },

  why: {
    heading: "Why Subscribe",
    paragraphs: [
      "Every week somebody offers you AI for your business. {newsletter} looks at it from your side of the counter: the quote that has to go out tonight, the lead that calls while you’re on a ladder, the listing that has to be written by Friday.",
      "If a tool isn’t worth its fee, the issue says so, and says what to do instead.",
    ],
    /** Follows the paragraphs once there are issues to read. */
    readers: `${headlineFigures.subscribers} newsletter subscribers read it, in ${headlineFigures.manyBusinesses}.`,
  },

  weekly: {
    heading: "What You'll Learn Each Week",
    parts: [
      {
        heading: "AI Tool Reviews",
        text: "One kind of tool, and how to test it in thirty minutes before you pay: what to ask, what to watch for, and who can do without\u00a0it.",
      },
      {
        heading: "Success Stories",
        text: "A worked example: one office job, costed line by line, to redo with your own numbers.",
      },
      {
        heading: "Quick Wins",
        text: "One thing you can set up before Monday with what you already pay for, step by step.",
      },
    ],
  },

  join: {
    heading: "Join {newsletter}",
    text: "Leave your email address and we’ll send you the next issue.",
  },

  issue: {
    back: "Back to Newsletter Archive",
    older: "Previous issue",
    newer: "Next issue",
    waysOn: "Read on",
    useCase: "What we do about it",
    signUp: "Get the next issue by email",
    /** Completes the description of an issue with few words. */
    description:
      "An issue of our weekly AI newsletter for trade, real estate and home-improvement businesses.",
  },

  notFound: {
    head: {
      title: "Newsletter Issue Not Found | {newsletter}",
      description:
        "There’s no issue of {newsletter} at this address. Every issue that has gone out is in the newsletter archive.",
    },
    heading: "Newsletter Issue Not Found",
    text: "The newsletter issue you're looking for doesn't exist.",
    others: "Read one of these instead",
  },
} as const;
