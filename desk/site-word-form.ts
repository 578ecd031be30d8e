import type { SiteWord } from "#operator/site-words.ts";

/** A row of a fact's form by its fields' names, with the row's `id` in a list. */
export type Row = Record<string, string | string[]>;

/** The name of a page in the desk's addresses: `use-cases-leads`. */
export function keyOf(path: string): string {
  return path.slice(1).replaceAll("/", "-") || "home";
}

/** The path of the page that an address names; a 404 for what has no words. */
export function pathOf(facts: readonly SiteWord[], key: string | undefined): string {
  const path = facts.find((fact) => keyOf(fact.path) === key)?.path;
  if (path === undefined) throw new Response(null, { status: 404 });
  return path;
}

export function rowsOf({ rows, value }: SiteWord): Row[] {
  return (rows ? value : [value]) as Row[];
}

/** The form's value. In a list that may be shorter, a row without any words is left out. */
export function filledIn({ fields, rows }: SiteWord, form: FormData): unknown {
  const names = Object.keys(fields);
  const rowAt = (index: number): Row => {
    const given = names.map((name) => {
      const key = `${index}.${name}`;
      const isList = fields[name]?.kind === "days";
      return [name, isList ? form.getAll(key).map(String) : String(form.get(key) ?? "")];
    });
    const row = Object.fromEntries(given);
    return rows ? { ...row, id: String(form.get(`${index}.id`) ?? "") } : row;
  };
  if (!rows) return rowAt(0);
  const all = Array.from({ length: rows.max }, (_, index) => rowAt(index));
  const isFilled = (row: Row) => names.some((name) => String(row[name]).trim() !== "");
  return rows.min === rows.max ? all : all.filter(isFilled);
}

/** The lines of a fact's words, to set two versions beside each other. */
export function linesOf({ fields, rows }: SiteWord, value: unknown): string[] {
  return ((rows ? value : [value]) as Row[]).map((row) =>
    Object.entries(fields)
      .map(([name, { kind }]) => {
        const text = row[name] ?? "";
        if (kind === "portrait") return text && "with a portrait";
        return Array.isArray(text) ? text.join(", ") : text;
      })
      .filter(Boolean)
      .join(" · "),
  );
}
