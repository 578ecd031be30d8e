import type { PageHead } from "../page-head.ts";

/** The pages that links in mail lead to. A link only shows the page; the button acts, because scanners open links. */
export const mailLinks = {
  confirm: {
    head: {
      title: "Confirm your subscription",
      description:
        "One click confirms that this address is yours and that you want The Matrix, our weekly newsletter, sent to it.",
      path: "/newsletter/confirm",
    } satisfies PageHead,
    heading: "Confirm your subscription",
    text: "One click confirms that this address is yours and that you want The Matrix sent to it every week.",
    button: "Confirm",
    busy: "Confirming...",
    done: {
      heading: "You’re on the list",
      text: "The next issue of The Matrix will come to your inbox. Every issue has an unsubscribe link.",
    },
  },
  unsubscribe: {
    head: {
      title: "Unsubscribe from The Matrix",
      description:
        "One click takes your address off the list of The Matrix, our weekly newsletter. No sign-in and no questions asked.",
      path: "/newsletter/unsubscribe",
    } satisfies PageHead,
    heading: "Leave The Matrix",
    text: "One click takes your address off the list, right away. You don’t have to say why.",
    button: "Unsubscribe",
    busy: "Unsubscribing...",
    done: {
      heading: "You’re off the list",
      text: "We won’t send you The Matrix again. You can still read every issue in the archive.",
    },
  },
  preferences: {
    head: {
      title: "Your address for The Matrix",
      description:
        "Change the address that The Matrix, our weekly newsletter, is sent to, or leave the list. No sign-in.",
      path: "/newsletter/preferences",
    } satisfies PageHead,
    heading: "Change your address",
    text: "We can send The Matrix to a different address. We’ll email that address first; nothing changes until you open the link in that email and press the button.",
    label: "New email address",
    hint: "After that, nothing more goes to your current address.",
    button: "Change address",
    busy: "Sending...",
    leave: "Leave The Matrix instead",
    faults: {
      missing: "Enter the address the newsletter should go to.",
      invalid: "Enter the full address, like name@company.ca.",
    },
    limited:
      "There have been too many requests in a short time. Nothing has changed; please try again in an hour.",
    done: {
      heading: "Check your new inbox",
      text: "To finish, open the link in our email to the new address and press the button there. If we’ve already emailed that address in the past hour, this one will come once the hour is up.",
    },
  },
  confirmAddress: {
    head: {
      title: "Confirm your new address",
      description:
        "One click confirms that The Matrix, our weekly newsletter, comes to this address from now on.",
      path: "/newsletter/confirm",
    } satisfies PageHead,
    heading: "Confirm your new address",
    text: "One click, and from now on The Matrix comes to this address instead of the old one.",
    button: "Confirm new address",
    busy: "Confirming...",
    done: {
      heading: "Your address has been changed",
      text: "The next issue of The Matrix will come to your new address. Nothing more will go to the old one.",
    },
  },
  failed: {
    heading: "That didn’t work",
    unreachable:
      "We can’t reach the list right now. Nothing has changed; please try again in a minute.",
  },
  archive: { label: "Back to Newsletter Archive", path: "/newsletter" },
} as const;
