/** A subscriber from another list; times are ISO 8601 in UTC with milliseconds. */
export type ImportedSubscriber = {
  email: string;
  consentText: string;
  consentPage: string | null;
  consentAddress: string | null;
  subscribedAt: string;
  confirmedAt: string | null;
  unsubscribedAt: string | null;
  /** Of an address that took no mail there; such a one counts as confirmed before. */
  bouncedAt?: string | null;
  /** Where the list doesn't say when they left or bounced: that time is the import's. */
  isEndUndated?: boolean;
};
