/** A posted field as trimmed text; empty where it is missing or is a file. */
export function postedText(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}
