import type { PageHead } from "../site.ts";

/** The pages behind links in mail. The link only shows the page and a button acts, because mail scanners open links. */
export const mailLinks = {
  confirm: {
    head: {
      title: "Confirm your subscription",
      description:
        "One click confirms that this address is yours and that you want {newsletter}, our weekly newsletter, sent to it.",
      path: "/newsletter/confirm",
    } satisfies PageHead,
    heading: "Confirm your subscription",
    text: "One click confirms that this address is yours and that you want {newsletter} sent to it every week.",
    button: "Confirm",
    /** For a link that can't be confirmed. */
    again: { label: "Subscribe again", path: "/newsletter" },
    done: {
      heading: "You’re on the list",
      text: "The next issue of {newsletter} will come to your inbox. Every issue has an unsubscribe link.",
    },
  },
  unsubscribe: {
    head: {
      title: "Unsubscribe from {newsletter}",
      description:
        "One click takes your address off the list of {newsletter}, our weekly newsletter. No sign-in and no questions asked.",
      path: "/newsletter/unsubscribe",
    } satisfies PageHead,
    heading: "Leave {newsletter}",
    text: "One click takes your address off the list, right away. You don’t have to say why.",
    button: "Unsubscribe",
    done: {
      heading: "You’re off the list",
      text: "We won’t send you {newsletter} again. You can still read every issue in the archive.",
    },
  },
  failed: {
    heading: "That didn’t work",
    unreachable:
      "We can’t reach the list right now. Nothing has changed; please try again in a minute.",
  },
  archive: { label: "Back to Newsletter Archive", path: "/newsletter" },
} as const;
