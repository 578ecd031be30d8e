import { PostgrestError } from "./postgrest-error.ts";

export type AnswerShape = "array" | "object";

const shapes: ReadonlyMap<string, AnswerShape> = new Map([
  ["*/*", "array"],
  ["application/*", "array"],
  ["application/json", "array"],
  ["application/vnd.pgrst.array+json", "array"],
  ["application/vnd.pgrst.array", "array"],
  ["application/vnd.pgrst.object+json", "object"],
  ["application/vnd.pgrst.object", "object"],
]);

/** What `Accept` asks for: an array of rows, or the one row by itself. The first type that is known wins. */
export function readAnswerShape(accept: string | null): AnswerShape {
  const asked = (accept ?? "*/*").trim() || "*/*";
  for (const item of asked.split(",")) {
    const type = item.split(";")[0]?.trim().toLowerCase() ?? "";
    const shape = shapes.get(type);
    if (shape !== undefined) {
      return shape;
    }
  }
  throw new PostgrestError({
    status: 406,
    code: "PGRST107",
    message: `None of these media types are available: ${asked}`,
  });
}
