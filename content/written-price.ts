/** The audit's price, which a visitor writes. */
export const writtenPrice = {
  /** Names the field, for who hears it. */
  amount: "Your price in dollars",
  bring: "Bring your number to the call",
};
