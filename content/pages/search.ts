import { type PageHead, searchForm } from "../site.ts";

export const search = {
  head: {
    title: "Search Our Pages and Newsletter",
    description:
      "Search every page and every issue of {newsletter} for a job, a tool or a figure: missed calls, change orders, invoices, listings.",
    path: searchForm.path,
  } satisfies PageHead,
  resultsTitle: "Search results for",
  heading: "Search our pages and newsletter",

  best: (shown: number) => `The best ${shown} of`,
  someWords: "Nothing has all of these words, so here’s what has some of them.",
  pagesOnly: "The newsletter can’t be searched right now, so these are pages only.",

  none: {
    heading: "Nothing here matches those words",
    text: "Try one word instead of three, such as quote, invoice or listing. Or write to us: we reply within 24 hours.",
    link: { label: "Write to us", path: "/contact" },
  },

  suggestions: {
    heading: "Searches to start with",
    items: [
      "missed calls",
      "change orders",
      "invoices",
      "real estate leads",
      "quoting",
      "what it costs",
    ],
  },
  useCases: "What we automate",
  list: {
    heading: "Or pick a page",
    pages: [
      {
        path: "/pricing",
        label: "Pricing",
        text: "A free call, an audit you price, a custom quote.",
      },
      {
        path: "/use-cases",
        label: "Use Cases",
        text: "Seven kinds of work, each with an example.",
      },
      { path: "/newsletter", label: "Newsletter", text: "One office job in dollars, every week." },
      { path: "/about", label: "About", text: "Why we exist, and results so far." },
      { path: "/contact", label: "Contact", text: "Write to us, or book a call." },
    ],
  },
  issues: "The latest issues",
} as const;
