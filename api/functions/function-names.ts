/** By which the backend's functions are called, under `/functions/v1`. */
export const functionNames = [
  "newsletter-signup",
  "newsletter-confirm",
  "newsletter-unsubscribe",
  "send-contact-email",
  "mail-events",
] as const;

export type FunctionName = (typeof functionNames)[number];

/** How a call ended; `limited`: too many for now (429). */
export const functionOutcomes = ["taken", "refused", "limited", "failed"] as const;

export type FunctionOutcome = (typeof functionOutcomes)[number];
