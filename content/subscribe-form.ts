import { nameOfNewsletter, type WithOwnWords } from "./own-words.ts";
import { postalAddress } from "./site.ts";

export const subscribeForm = {
  label: "Email address",
  placeholder: "you@company.ca",
  faults: {
    missing: "Enter the address the newsletter should go to.",
    malformed: "Enter the full address, like name@company.ca.",
    refused: "We couldn’t take this address. Check it, or try another.",
    failed: "The sign-up didn’t go through. Your address is still here.",
  },
  /** Above what to do next: for a new address, and for one that is on the list. */
  stamp: {
    received: "Received",
    known: "On the list",
    next: (email: string) => `Now open our confirmation email to ${email} and press Confirm.`,
    missing: "Not there? Look in your spam folder.",
  },
  send: "Subscribe",
  sending: "Subscribing...",
} as const;

type ConsentFacts = {
  siteName: string;
  email: string;
  phone: string;
  street: string;
  postalCode: string;
} & WithOwnWords;

/**
 * The wording of express consent, shown with the form and stored with each sign-up: the purpose, who asks, how to reach
 * them, and the right to withdraw (CASL, s. 10(1); Electronic Commerce Protection Regulations, s. 4).
 */
export function consentText(facts: ConsentFacts): string {
  const { siteName, email, phone, street, postalCode } = facts;
  return (
    `By subscribing you agree that ${siteName} may email you ${nameOfNewsletter(facts)}, a weekly newsletter on AI automation ` +
    `that also mentions our services. You can unsubscribe any time with the link in every issue, or at ` +
    `${[street && postalAddress({ street, postalCode }), email, phone].filter(Boolean).join(", ")}.`
  );
}
