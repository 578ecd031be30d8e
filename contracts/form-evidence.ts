/** The header in which the site's own forms say how they were filled in. Calls of the API leave it out. */
export const formEvidenceHeader = "Form-Evidence";

/** What a form knows of how it was filled in. Absence speaks neither for nor against the sender. */
export type FormEvidence = {
  /** Whether the field that people don't see holds something. */
  honeypotFilled: boolean;
  /** Milliseconds from the opening of the page to the sending; null where that can't be told. */
  openForMs: number | null;
};

/** `open-for-ms=5120`, or `honeypot; open-for-ms=80`. */
export function writeFormEvidence({ honeypotFilled, openForMs }: FormEvidence): string {
  return [
    ...(honeypotFilled ? ["honeypot"] : []),
    ...(openForMs === null ? [] : [`open-for-ms=${Math.max(0, Math.round(openForMs))}`]),
  ].join("; ");
}

/** Reads the header; what is missing or can't be read counts as not said. */
export function readFormEvidence(header: string | null): FormEvidence {
  const parts = (header ?? "").split(";").map((part) => part.trim());
  const openFor = parts.map((part) => /^open-for-ms=(\d{1,15})$/.exec(part)?.[1]).find(Boolean);
  return {
    honeypotFilled: parts.includes("honeypot"),
    openForMs: openFor === undefined ? null : Number(openFor),
  };
}
