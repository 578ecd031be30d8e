export const subscribeForm = {
  label: "Email address",
  placeholder: "you@company.ca",
  faults: {
    missing: "Enter the address the newsletter should go to.",
    malformed: "Enter the full address, like name@company.ca.",
    refused: "We couldn’t take this address. Check it, or try another.",
    failed: "The sign-up didn’t go through. Your address is still here.",
  },
  send: "Subscribe",
  sending: "Subscribing...",
} as const;
