/**
 * How long personal information is stored. The privacy policy promises these periods and the code that deletes reads
 * them. The first three come from the specification (section 9) and tax law; the others are ours.
 */
export const retention = {
  /** Clients' data, counted from the end of the work. */
  clientDataYears: 1,
  /** Invoices and payments. The Income Tax Act, s. 230(4), asks for six years after the tax year. */
  financialRecordYears: 7,
  /** The time to settle inquiries and requests for deletion. */
  requestDays: 30,
  /** A contact message, counted from the last message of the same address. */
  contactMessageYears: 2,
  /** A contact message's network address, counted from its arrival. */
  contactAddressDays: 90,
  /** The proof of consent, counted from the end of the subscription. */
  consentYears: 3,
  unconfirmedSignUpYears: 1,
  /** The outbox's copy of a message or sign-up, counted from delivery. */
  deliveryDays: 90,
  /** A draft or issue that was put into the desk's bin. */
  binDays: 30,
} as const;
