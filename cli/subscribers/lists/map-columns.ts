import { type ListedState, type ListFormat, type Meaning, meanings } from "./list-format.ts";
import { listFormats, plainFormat } from "./list-formats.ts";

/** How the columns of one file are read. */
export type ColumnMap = {
  format: ListFormat;
  /** Each column of the file, with its meaning; null where it's passed over. */
  columns: { name: string; meaning: Meaning | null }[];
  /** What rows are of which the file says nothing else. */
  unsaid: ListedState | "times";
};

/**
 * Recognises whose export a file is by its columns, or takes the program that is named. Null where no column holds
 * addresses.
 */
export function mapColumns(
  names: readonly string[],
  { from, state }: { from?: string; state?: ListedState } = {},
): ColumnMap | null {
  const present = new Set(names.map(plain));
  const hasAll = (columns: readonly string[]) => columns.every((column) => present.has(column));
  const format =
    (from === undefined ? undefined : listFormats[from]) ??
    Object.values(listFormats).find(({ signatures }) => signatures.some(hasAll)) ??
    plainFormat;
  const taken = new Set<Meaning>();
  const columns = names.map((name) => {
    const meaning = Object.hasOwn(format.columns, plain(name)) && format.columns[plain(name)];
    // Of two columns with one meaning, the first has it.
    if (!meaning || taken.has(meaning)) return { name, meaning: null };
    taken.add(meaning);
    return { name, meaning };
  });
  if (!taken.has("email")) return null;
  return { format, columns, unsaid: state ?? unsaidIn(format, taken) };
}

/** A file with a time of leaving holds those who left, also where the time is blank; likewise of bounces. */
function unsaidIn(format: ListFormat, taken: Set<Meaning>): ColumnMap["unsaid"] {
  if (format.unsaid !== "times" || format === plainFormat) return format.unsaid;
  if (taken.has("unsubscribed_at")) return "unsubscribed";
  return taken.has("bounced_at") ? "bounced" : "times";
}

/** In words, for the table that is shown before anything else happens. */
export function describeColumn({ format, columns, unsaid }: ColumnMap): {
  name: string;
  meaning: string;
}[] {
  const values = Object.entries(format.states ?? {}).map(
    ([value, state]) => `${value} = ${state ?? unsaid}`,
  );
  return columns.map(({ name, meaning }) => ({
    name,
    meaning:
      meaning === null
        ? "(passed over)"
        : meaning === "state"
          ? `${meanings.state}: ${values.join(", ")}`
          : meanings[meaning],
  }));
}

export function plain(name: string): string {
  return name.trim().toLowerCase();
}
