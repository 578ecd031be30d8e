import * as v from "valibot";

/**
 * The shape of an address (specification, section 5): text, an at-sign, text, a dot, text, no spaces. It tries only the
 * first dot of the host, so that matching takes linear time: 90,000 dots once blocked the server for half a minute.
 */
export const emailShape = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/;

/** In characters (RFC 5321, section 4.5.3.1.3). */
export const emailMaxLength = 254;

// Pasted line breaks and tabs become spaces in a one-line field.
const lineEndsAndTabs = /\r\n|[\t\n\v\f\r\u0085\u2028\u2029]/g;
// C0 and C1 control characters.
const singleLineControls = /[\u0000-\u001f\u007f-\u009f]/;
// The same except tabs and line breaks. Word processors copy a line break inside a paragraph as a vertical tab.
const multiLineControls = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f]/;

type TextRules = { max: number; required?: boolean };

/** Trimmed text on one line: at most `max` UTF-16 code units, no control characters. Line breaks and tabs become spaces. */
export function singleLineText(label: string, rules: TextRules) {
  return v.pipe(
    v.string(`${label} must be text.`),
    v.transform((text) => text.replace(lineEndsAndTabs, " ")),
    ...boundedText(label, rules, singleLineControls),
  );
}

/** Trimmed text with line breaks and tabs: at most `max` UTF-16 code units, no other control characters. */
export function multiLineText(label: string, rules: TextRules) {
  return v.pipe(
    v.string(`${label} must be text.`),
    ...boundedText(label, rules, multiLineControls),
  );
}

/** A trimmed email address of the specification's shape, at most 254 characters, no control characters. */
export function emailAddress(label: string) {
  return v.pipe(
    singleLineText(label, { max: emailMaxLength, required: true }),
    v.regex(emailShape, `${label} is not a valid email address.`),
  );
}

function boundedText(label: string, { max, required = false }: TextRules, controls: RegExp) {
  return [
    v.trim(),
    v.minLength<string, number, string>(required ? 1 : 0, `${label} is required.`),
    v.maxLength<string, number, string>(max, `${label} is longer than ${max} characters.`),
    v.check((text: string) => !controls.test(text), `${label} contains control characters.`),
  ] as const;
}
