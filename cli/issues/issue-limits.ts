/** Longest title of an issue, in characters. */
export const issueTitleMaxLength = 200;
/** Longest body of an issue, in UTF-16 code units: what the page prepares; the rest would be cut off there. */
export const issueBodyMaxLength = 2_000_000;
/** Largest file that is published, in bytes. */
export const issueFileMaxBytes = 4_000_000;
/** Largest file that is imported, in bytes. */
export const importFileMaxBytes = 200_000_000;
