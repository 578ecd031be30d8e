const publishDateShape = /^\d{4}-\d\d-\d\d$/;

/** True for a day that exists, written `YYYY-MM-DD`. */
export function isPublishDate(text: string): boolean {
  if (!publishDateShape.test(text)) {
    return false;
  }
  // Parsing rolls 30 February over into March, so the day has to come back as it went in.
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

/** Throws a RangeError for anything else: people's dates are checked where they come in. */
export function assertPublishDate(text: string): void {
  if (!isPublishDate(text)) {
    throw new RangeError(
      `A publish date must be a day as YYYY-MM-DD, not ${JSON.stringify(text)}.`,
    );
  }
}
