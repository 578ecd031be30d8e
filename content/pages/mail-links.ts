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
    text: "One click confirms that the address is yours and that you want The Matrix sent to it every week.",
    button: "Confirm",
    busy: "Confirming...",
    done: {
      heading: "You are on the list",
      text: "The next issue of The Matrix comes to your inbox. Every issue has a link to leave.",
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
    text: "One click takes your address off the list, at once. You don’t have to say why.",
    button: "Unsubscribe",
    busy: "Unsubscribing...",
    done: {
      heading: "You are off the list",
      text: "We won’t send you The Matrix again. The archive stays open to everyone if you change your mind.",
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
    text: "The Matrix can come to another address of yours. We write to that address first; nothing changes until you press the button behind the link in that mail.",
    label: "New email address",
    hint: "After that, nothing more is sent to the address you have now.",
    button: "Change address",
    busy: "Sending...",
    leave: "Leave The Matrix instead",
    faults: {
      missing: "Enter the address that the newsletter should go to.",
      invalid: "Write the whole address, for example name@company.ca.",
    },
    limited:
      "Too many changes were asked for in a short time. Nothing has changed; please try again in an hour.",
    done: {
      heading: "Look at your new mailbox",
      text: "To finish, open the link in our mail to the new address and press the button there. If we wrote to that address within the last hour, this mail comes once the hour is over.",
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
    text: "One click, and The Matrix comes to this address from now on, and no longer to the one before.",
    button: "Confirm new address",
    busy: "Confirming...",
    done: {
      heading: "Your address is changed",
      text: "The next issue of The Matrix comes to your new address. Nothing more is sent to the old one.",
    },
  },
  failed: {
    heading: "That didn’t work",
    unreachable:
      "The list can’t be reached at the moment. Nothing has changed; please try again in a minute.",
  },
  archive: { label: "Back to Newsletter Archive", path: "/newsletter" },
} as const;
