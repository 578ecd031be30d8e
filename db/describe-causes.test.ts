import { expect, test } from "vitest";
import { describeCauses } from "./describe-causes.ts";

const refused = Object.assign(new Error("connect refused"), { code: "ECONNREFUSED" });

test("causes are told outermost first, and of several the first, which has the words", () => {
  const several = new AggregateError([refused, new Error("another")]);
  const error = new Error("The mail can't be sent.", { cause: several });
  expect(describeCauses(error)).toBe("The mail can't be sent: connect refused");
});

test("what was thrown and is no error is told too", () => {
  const error = new Error("failed", { cause: "a word" });
  expect(describeCauses(error)).toBe("failed: a word");
  expect(describeCauses(new AggregateError([]))).toBe("AggregateError");
});

test("an error that is its own cause ends", () => {
  const error = new Error("round");
  error.cause = error;
  expect(describeCauses(error).split(": ")).toHaveLength(6);
});
