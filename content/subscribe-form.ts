/** The words of the newsletter's subscribe form; its notices are in `notices.ts`, its consent in `consent.ts`. */
export const subscribeForm = {
  label: "Email address",
  placeholder: "you@company.ca",
  /** Beside the field, what to do about it. */
  faults: {
    missing: "Enter the address that the newsletter should go to.",
    malformed: "Write the whole address, for example name@company.ca.",
    refused: "This address was not taken. Check it, or use another.",
    failed: "The sign-up didn’t finish. Your address is still here.",
  },
  send: "Subscribe",
  sending: "Subscribing...",
} as const;
