import type { PageHead } from "../page-head.ts";

export const notFound = {
  head: {
    title: "404: Page not found",
    description:
      "There is no page at this address. It may have moved, or the link to it was never right. The home page is a good place to start again.",
    path: "",
  } satisfies PageHead,
  code: "404",
  heading: "Oops! Page not found",
  text: "There is no page at this address. It may have moved, or the link that brought you here was never right.",
  home: { label: "Return to the home page", path: "/" },
  elsewhere: {
    heading: "Or try one of these",
    links: [
      { label: "What we automate", path: "/use-cases" },
      { label: "What it costs", path: "/pricing" },
      { label: "The Matrix, our weekly newsletter", path: "/newsletter" },
      { label: "Write to us", path: "/contact" },
    ],
  },
} as const;

export const failure = {
  title: "Something broke on our side",
  heading: "Something broke on our side",
  text: "The page could not be made. It has been noted, and trying again in a minute usually helps.",
  retry: "Try again",
} as const;
