/** What an issue's mail is put together from. Addresses and words are plain text; the body is markup that is safe. */
export type MailParts = {
  title: string;
  preheader: string;
  /** `Issue #3 · November 9, 2026`. */
  label: string;
  body: string;
  foot: {
    senderName: string;
    address: string;
    reach: string;
    why: string;
    unsubscribe: string;
    page: string;
  };
};
