import type { HostileRequest } from "./hostile-request.ts";

/** A query of the REST table in its parts, which a search can exchange, repeat and leave out. */
export type RestQuery = {
  select: string[];
  order: string[];
  /** `name=value` each. */
  filters: string[];
  headers: Record<string, string>;
};

/** Gives a whole number from 0 up to one below what it is asked for, the same ones for the same seed. */
export type Dice = (sides: number) => number;

const table = "/rest/v1/final_newsletters";
/** Longer targets are refused before anything reads them. */
const targetMaxLength = 8_000;

const columns = ["id", "title", "content_markdown", "publish_date", "*"];
const comparisons = ["eq", "neq", "gt", "gte", "lt", "lte", "in", "is", "like", "ilike", "match"];
const moreOperators = ["fts", "plfts", "cs", "ov", "not.eq", "not.in", "not.is", "eq(any)"];
const counts = [1, 1, 2, 5, 20, 100, 400];

const headerChoices: Record<string, string>[] = [
  {},
  {},
  { prefer: "count=exact" },
  { accept: "application/vnd.pgrst.object+json" },
  { accept: "text/csv" },
  { range: "0-999999" },
  { prefer: "count=exact", range: "50-60" },
];

export function randomQuery(dice: Dice): RestQuery {
  const many = <Part>(part: () => Part): Part[] =>
    Array.from({ length: dice(3) === 0 ? 0 : pick(dice, counts) }, part);
  return {
    select: many(() => field(dice)),
    order: many(() => orderTerm(dice)),
    filters: many(() => filter(dice)),
    headers: pick(dice, headerChoices),
  };
}

/** The query with one part of it changed: more of the same, another one, fewer, or another's. */
export function mutated(query: RestQuery, other: RestQuery, dice: Dice): RestQuery {
  const changed = structuredClone(query);
  const key = pick(dice, ["select", "order", "filters"] as const);
  const makers = { select: field, order: orderTerm, filters: filter };
  const parts = changed[key];
  switch (dice(6)) {
    case 0:
      parts.push(...parts);
      break;
    case 1:
      parts.push(makers[key](dice));
      break;
    case 2:
      parts.splice(dice(parts.length + 1), 1 + dice(10));
      break;
    case 3:
      changed[key] = other[key];
      break;
    case 4:
      changed.headers = pick(dice, headerChoices);
      break;
    default:
      parts[dice(parts.length + 1)] = makers[key](dice);
  }
  return changed;
}

export function asRequest({ select, order, filters, headers }: RestQuery): HostileRequest {
  const pairs = [
    ...(select.length > 0 ? [`select=${select.join(",")}`] : []),
    ...(order.length > 0 ? [`order=${order.join(",")}`] : []),
    ...filters,
  ];
  return { target: `${table}?${pairs.join("&")}`.slice(0, targetMaxLength), headers };
}

function field(dice: Dice): string {
  const column = pick(dice, columns);
  return pick(dice, [
    column,
    `a${dice(1_000)}:${column}`,
    `"${letters(dice)}":${column}`,
    `${column}::text`,
    `${column}->>${letters(dice)}`,
    `${column}.count()`,
    `${letters(dice)}!inner(${column})`,
    `...${"(".repeat(dice(200))}`,
    `a${"+".repeat(dice(2_000))}!`,
    `"${"\\".repeat(dice(500))}`,
  ]);
}

function orderTerm(dice: Dice): string {
  const direction = pick(dice, ["", ".asc", ".desc", ".desc.nullslast", ".nullsfirst", ".asc.asc"]);
  return `${pick(dice, [...columns, "no_column", letters(dice)])}${direction}`;
}

function filter(dice: Dice): string {
  const operator = pick(dice, dice(3) === 0 ? moreOperators : comparisons);
  const column = pick(dice, columns);
  return pick(dice, [
    `${column}=${operator}.${value(dice)}`,
    `${column}=not.${operator}.${value(dice)}`,
    `or=(${"and(".repeat(dice(30))}${column}.${operator}.${value(dice)}${")".repeat(dice(30))})`,
    `limit=${pick(dice, ["0", "1", "1000", "999999999999", "-1", "1e9"])}`,
    `offset=${pick(dice, ["0", "50", "99999999", "-5"])}`,
    `${letters(dice)}=eq.1`,
  ]);
}

function value(dice: Dice): string {
  return pick(dice, [
    String(dice(100)),
    `(${Array.from({ length: dice(300) }, (_, index) => index).join(",")})`,
    `("${letters(dice)}","${letters(dice)}")`,
    `${"*a".repeat(dice(300))}*`,
    `${"%25e".repeat(dice(300))}`,
    `(${"(".repeat(dice(200))}a+)+$`,
    letters(dice),
    "2026-01-01",
    "null",
  ]);
}

function letters(dice: Dice): string {
  return pick(dice, ["e", "%C3%A9", "zq", "%00", "😀", "a b"])
    .replaceAll(" ", "+")
    .repeat(dice(200));
}

function pick<Part>(dice: Dice, parts: readonly Part[]): Part {
  return parts[dice(parts.length)] as Part;
}
