import type { Rule } from "#content/rules.ts";

/** The first rule with one of its words in the message, at a word's beginning; else the last. */
export function firstRule<Place extends string>(
  rules: readonly Rule<Place>[],
  message: string,
): Rule<Place> {
  const plain = ` ${message.toLowerCase().replaceAll(/[^\p{L}\p{N}$%]+/gu, " ")}`;
  const fits = ({ words }: Rule<Place>) => words.some((word) => plain.includes(` ${word}`));
  return rules.find(fits) ?? (rules.at(-1) as Rule<Place>);
}
