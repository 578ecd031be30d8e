/** The words of the newsletter's subscribe form; its notices are in `notices.ts`, its consent in `consent.ts`. */
export const subscribeForm = {
  label: "Email address",
  placeholder: "you@company.ca",
  send: "Subscribe",
  sending: "Subscribing...",
} as const;
