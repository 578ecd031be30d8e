/** The words of the newsletter's subscribe form; its notices are in `notices.ts`, its consent in `consent.ts`. */
export const subscribeForm = {
  label: "Email address",
  placeholder: "you@company.ca",
  /** Beside the field, what to do about it. */
  faults: {
    missing: "Enter the address the newsletter should go to.",
    malformed: "Enter the full address, like name@company.ca.",
    refused: "We couldn’t take this address. Check it, or try another.",
    failed: "The sign-up didn’t go through. Your address is still here.",
  },
  send: "Subscribe",
  sending: "Subscribing...",
} as const;
