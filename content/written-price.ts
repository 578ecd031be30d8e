export const writtenPrice = {
  /** The field's name for screen readers. */
  amount: "Your price in dollars",
  bring: "Bring your number to the call",
};
