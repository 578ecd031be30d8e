import * as v from "valibot";
import type { FieldErrors, FunctionRefusal } from "./backend-function.ts";

type FieldsSchema = v.GenericSchema<unknown, Record<string, unknown>>;

/**
 * Checks a body against a function's schema. 400 where a field has the wrong type, 422 where one breaks a rule, with
 * the first fault of each field. Fields that the schema doesn't name are dropped.
 */
export function readFields<Schema extends FieldsSchema>(
  schema: Schema,
  body: Record<string, unknown>,
): { ok: true; values: v.InferOutput<Schema> } | FunctionRefusal {
  const parsed = v.safeParse(schema, body);
  if (!parsed.success) {
    const fields: FieldErrors = {};
    for (const issue of parsed.issues) {
      const name = String(issue.path?.[0]?.key);
      fields[name] ??= issue.input === undefined ? `${name} is required.` : issue.message;
    }
    const wrongType = parsed.issues.some(
      (issue) => issue.kind === "schema" && issue.input !== undefined,
    );
    return wrongType
      ? { ok: false, status: 400, error: "A field has the wrong type.", fields }
      : { ok: false, status: 422, error: "A field can't be taken as it is.", fields };
  }
  // Half of a character: JSON can spell it, and UTF-8, which both databases store, can't.
  const broken = Object.entries(parsed.output).filter(
    ([, value]) => typeof value === "string" && !value.isWellFormed(),
  );
  if (broken.length > 0) {
    const fields = Object.fromEntries(
      broken.map(([name]) => [name, `${name} contains characters that can't be stored.`]),
    );
    return { ok: false, status: 422, error: "A field can't be taken as it is.", fields };
  }
  return { ok: true, values: parsed.output };
}
