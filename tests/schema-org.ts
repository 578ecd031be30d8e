import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * schema.org's vocabulary, read from the declarations of the `schema-dts` package, which are generated from the
 * published vocabulary: `interface ArticleBase extends CreativeWorkBase { "articleBody"?: SchemaValue<Text, …> }`.
 */
type Vocabulary = {
  /** The properties of a type, its supertypes' included, each with the types that its values may have; null: unknown. */
  propertiesOf(type: string): ReadonlyMap<string, readonly string[]> | null;
  isA(type: string, supertype: string): boolean;
  /** The members of an enumeration such as DayOfWeek; empty where the type is none. */
  membersOf(type: string): readonly string[];
};

type Declared = { parents: string[]; properties: Map<string, string[]> };

export function readVocabulary(): Vocabulary {
  const source = readFileSync(
    fileURLToPath(import.meta.resolve("schema-dts")).replace(/\.js$/, ".d.ts"),
    "utf8",
  );
  const bases = readBases(source);
  const baseOfType = new Map(
    [...source.matchAll(/^export interface (\w+)Leaf extends (\w+)Base /gm)].map(
      ([, type = "", base = ""]) => [type, base],
    ),
  );
  const ancestors = (base: string): string[] => [
    base,
    ...(bases.get(base)?.parents ?? []).flatMap(ancestors),
  ];
  return {
    propertiesOf(type) {
      const base = baseOfType.get(type);
      if (base === undefined) return null;
      return new Map(ancestors(base).flatMap((each) => [...(bases.get(each)?.properties ?? [])]));
    },
    isA(type, supertype) {
      if (type === supertype) return true;
      const base = baseOfType.get(type);
      return base !== undefined && ancestors(base).includes(supertype);
    },
    membersOf(type) {
      const [, members = ""] = new RegExp(`^export type ${type} = (".*);$`, "m").exec(source) ?? [];
      return [...members.matchAll(/"([^"]+)"/g)].map(([, member = ""]) => member);
    },
  };
}

function readBases(source: string): Map<string, Declared> {
  const bases = new Map<string, Declared>();
  const declaration = /^interface (\w+)Base extends ([^{]+) \{\n([\s\S]*?)^\}/gm;
  for (const [, name = "", parents = "", body = ""] of source.matchAll(declaration)) {
    const properties = [...body.matchAll(/^ {4}"(\w+)"\?: SchemaValue<(.*), "\w+">;/gm)];
    bases.set(name, {
      parents: [...parents.matchAll(/(\w+)Base/g)].map(([, parent = ""]) => parent),
      properties: new Map(properties.map(([, key = "", types = ""]) => [key, types.split(" | ")])),
    });
  }
  return bases;
}

/**
 * What is wrong with a JSON-LD document of schema.org, a line each; empty when nothing is. Checks that types exist, that
 * each property belongs to its type, that values are of a type that the property takes, and that addresses are whole.
 */
export function checkStructuredData(data: unknown, vocabulary: Vocabulary): string[] {
  if (!isObject(data)) return ["The document is no object."];
  const { "@context": context, ...node } = data;
  const problems = context === "https://schema.org" ? [] : [`@context is ${String(context)}`];
  return [...problems, ...checkNode(node, String(node["@type"] ?? "document"), vocabulary)];
}

function checkNode(node: Node, where: string, vocabulary: Vocabulary): string[] {
  const id = node["@id"];
  const problems = id === undefined || isAddress(id) ? [] : [`${where}: @id is no whole address`];
  const type = node["@type"];
  // A node that is only named is described elsewhere.
  if (type === undefined && id !== undefined && Object.keys(node).length === 1) return problems;
  // A node of several types may have the properties of each.
  const known = [type].flat().map((each) => vocabulary.propertiesOf(String(each)));
  if (known.includes(null)) return [...problems, `${where}: no type ${JSON.stringify(type)}`];
  const properties = new Map(known.flatMap((each) => [...(each ?? [])]));
  for (const [key, value] of Object.entries(node)) {
    if (key.startsWith("@")) continue;
    // Actions say with `query-input` what their property `query` takes (schema.org/docs/actions.html).
    const isConstraint = /-(in|out)put$/.test(key) && vocabulary.isA(String(type), "Action");
    const ranges = isConstraint ? ["Text"] : properties.get(key);
    if (ranges) problems.push(...checkValues(value, ranges, `${where}.${key}`, vocabulary));
    else problems.push(`${where}: ${String(type)} has no property ${key}`);
  }
  return problems;
}

function checkValues(
  value: unknown,
  ranges: readonly string[],
  where: string,
  vocabulary: Vocabulary,
) {
  const values = Array.isArray(value) ? value : [value];
  if (values.length === 0) return [`${where} is an empty list`];
  return values.flatMap((each, index) => {
    const place = values.length > 1 ? `${where}[${index}]` : where;
    if (isObject(each)) {
      const fits =
        each["@type"] === undefined ||
        ranges.some((range) => vocabulary.isA(String(each["@type"]), range));
      const misfit = fits ? [] : [`${place} takes ${ranges.join(", ")}, not ${each["@type"]}`];
      return [...misfit, ...checkNode(each, place, vocabulary)];
    }
    return isPlausible(each, ranges, vocabulary)
      ? []
      : [`${place} takes ${ranges.join(", ")}, not ${JSON.stringify(each)}`];
  });
}

const time = /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/;
const date = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

function isPlausible(value: unknown, ranges: readonly string[], vocabulary: Vocabulary): boolean {
  if (typeof value === "number") return ranges.some((each) => /^(Number|Integer|Text)$/.test(each));
  if (typeof value === "boolean") return ranges.includes("Boolean");
  if (typeof value !== "string" || value.trim() === "") return false;
  return ranges.some((range) => {
    if (range === "Text") return true;
    if (range === "URL") return isAddress(value);
    if (range === "Time") return time.test(value);
    if (range === "Date") return date.test(value);
    if (range === "DateTime") return dateTime.test(value);
    return vocabulary.membersOf(range).includes(value) || namesThing(range, value, vocabulary);
  });
}

/** A thing may stand as its address alone. */
function namesThing(range: string, value: string, vocabulary: Vocabulary): boolean {
  return vocabulary.propertiesOf(range) !== null && isAddress(value);
}

type Node = Record<string, unknown>;

function isObject(value: unknown): value is Node {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isAddress(value: unknown): boolean {
  return typeof value === "string" && /^https?:\/\/[^\s{}]+$/.test(value) && URL.canParse(value);
}
