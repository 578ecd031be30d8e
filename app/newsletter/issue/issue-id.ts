/** Digits alone, without a sign and without a leading zero, so that an issue has one address. */
const decimalId = /^[1-9]\d{0,15}$/;

/** The numeric id in an address, 1 to 2^53 - 1; null for anything else, which no issue can have. */
export function parseIssueId(text: string): number | null {
  if (!decimalId.test(text)) return null;
  const id = Number(text);
  return Number.isSafeInteger(id) ? id : null;
}
