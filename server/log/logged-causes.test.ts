import { expect, test } from "vitest";
import { describeCauses } from "#db/describe-causes.ts";
import { loggedError } from "./logged-error.ts";

const refused = Object.assign(new Error("connect refused"), { code: "ECONNREFUSED" });

test("causes are told outermost first, and of several the first, which has the words", () => {
  const several = new AggregateError([refused, new Error("another")]);
  const error = new Error("The mail can't be sent.", { cause: several });
  expect(describeCauses(error)).toBe("The mail can't be sent: connect refused");
  expect(loggedError(error)).toMatchObject({
    message: "The mail can't be sent.",
    cause: { type: "AggregateError", cause: { message: "connect refused", code: "ECONNREFUSED" } },
  });
});

test("what was thrown and is no error is told too, and not logged", () => {
  const error = new Error("failed", { cause: "a word" });
  expect(describeCauses(error)).toBe("failed: a word");
  expect(loggedError(error).cause).toBeUndefined();
  expect(describeCauses(new AggregateError([]))).toBe("AggregateError");
});

test("an error that is its own cause ends", () => {
  const error = new Error("round");
  error.cause = error;
  expect(describeCauses(error).split(": ")).toHaveLength(6);
});
