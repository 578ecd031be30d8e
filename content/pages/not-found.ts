import type { PageHead } from "../site.ts";

const whatHappened =
  "There’s no page at this address. It may have moved, or the link may be wrong.";

export const notFound = {
  head: {
    title: "404: Page not found",
    description: whatHappened,
    path: "",
  } satisfies PageHead,
  code: "404",
  heading: "Oops! Page not found",
  text: whatHappened,
  home: { label: "Return to the home page", path: "/" },
  elsewhere: {
    heading: "Or try one of these",
    links: [
      { label: "What we automate", path: "/use-cases" },
      { label: "What it costs", path: "/pricing" },
      { label: "{newsletter}, our weekly newsletter", path: "/newsletter" },
      { label: "Write to us", path: "/contact" },
    ],
  },
} as const;

export const failure = {
  title: "Something broke on our side",
  heading: "Something broke on our side",
  text: "We couldn’t put this page together. Trying again in a minute usually helps.",
  retry: "Try again",
} as const;
