/**
 * How long personal information is kept. The privacy policy promises exactly these periods, and whatever deletes reads
 * them here. The first three are the specification's (section 9) and the tax law's; the others are ours.
 */
export const retention = {
  /** Clients' data, counted from the end of the work. */
  clientDataYears: 1,
  /** Invoices and payments (Income Tax Act, s. 230(4) asks for six years after the tax year; seven are kept). */
  financialRecordYears: 7,
  /** Requests for deletion and inquiries are settled within so many days. */
  requestDays: 30,
  /** A contact message, counted from the last message of the same address. */
  contactMessageYears: 2,
  /** The network address kept with a contact message, counted from its arrival. */
  contactAddressDays: 90,
  /** The proof of consent with its network address, counted from the end of the subscription. */
  consentYears: 3,
  /** A sign-up that nobody confirmed, counted from the sign-up. */
  unconfirmedSignUpYears: 1,
  /** How often a network or a mailbox has sent a form, under a hash of it: the longest time that is counted over. */
  senderCountHours: 24,
  /** What the sending queue holds of a message or sign-up, counted from delivery. */
  deliveryDays: 90,
  /** Daily sums of visits, which tell of nobody: long enough to hold a year against the two before. */
  visitYears: 3,
} as const;
