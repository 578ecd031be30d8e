import * as v from "valibot";

/** Text, an at-sign, text, a dot, text, and no spaces: the shape that the specification's section 5 asks of an address. */
export const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** Longest address that SMTP can carry, in characters (RFC 5321, section 4.5.3.1.3). */
export const emailMaxLength = 254;

// C0 and C1 control characters and the line separators, none of which belongs on one line of text.
const singleLineControls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
// The same without tab, line feed and carriage return.
const multiLineControls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/;

type TextRules = { max: number; required?: boolean };

/** Trimmed text on one line: at most `max` UTF-16 code units, no control characters. */
export function singleLineText(label: string, rules: TextRules) {
  return boundedText(label, rules, singleLineControls);
}

/** Trimmed text that may have line breaks and tabs: at most `max` UTF-16 code units, no other control characters. */
export function multiLineText(label: string, rules: TextRules) {
  return boundedText(label, rules, multiLineControls);
}

/** A trimmed e-mail address of the specification's shape, at most 254 characters, no control characters. */
export function emailAddress(label: string) {
  return v.pipe(
    singleLineText(label, { max: emailMaxLength, required: true }),
    v.regex(emailShape, `${label} is not a valid e-mail address.`),
  );
}

function boundedText(label: string, { max, required = false }: TextRules, controls: RegExp) {
  return v.pipe(
    v.string(`${label} must be text.`),
    v.trim(),
    v.minLength(required ? 1 : 0, `${label} is required.`),
    v.maxLength(max, `${label} is longer than ${max} characters.`),
    v.check((text) => !controls.test(text), `${label} contains control characters.`),
  );
}
