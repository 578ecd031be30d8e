import { honeypotField } from "./honeypot.tsx";
import { postedText } from "./posted-text.ts";

/** The hidden field with the moment at which the server made the page, in milliseconds since 1970. */
export const pageMadeField = "pageMadeAt";

/** Whether something stands in the field that people don't see. */
export function isHoneypotFilled(form: FormData): boolean {
  return postedText(form, honeypotField) !== "";
}

/** How long the visitor has had the page open, in a browser with scripts: since the document was asked for. */
export function browserOpenForMs(): number {
  return performance.now();
}

/**
 * The longest that the visitor can have had the page open, in milliseconds: the age of the page's bytes, which may have
 * been made for somebody else. It can show that a form was sent too fast, and never that it wasn't. Null where the page
 * doesn't say, and where the clocks of two copies of the server disagree.
 */
export function postedOpenForMs(form: FormData, now: number): number | null {
  const text = postedText(form, pageMadeField);
  const ageMs = now - Number(text);
  return /^\d{1,15}$/.test(text) && ageMs >= 0 ? ageMs : null;
}
