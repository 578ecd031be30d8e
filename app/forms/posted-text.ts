/**
 * A posted field as trimmed text; empty where it is missing or is a file. Line breaks are one character each, as the
 * field's `maxlength` counts them and as scripts read them; a post without scripts spells each with two.
 */
export function postedText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.replace(/\r\n?/g, "\n").trim() : "";
}
