import { expect, test } from "vitest";
import { hasTooManyFields } from "./form-fields.ts";

const encoded = "application/x-www-form-urlencoded;charset=UTF-8";

function bytesOf(text: string): ArrayBuffer {
  return new TextEncoder().encode(text).buffer;
}

test("a form of a few fields is read, whatever it says", () => {
  const form = new URLSearchParams({
    message: "a & b & c ".repeat(1_000),
    email: "pat@example.com",
  });
  expect(hasTooManyFields(bytesOf(form.toString()), encoded)).toBe(false);
});

test("a form of thousands of fields is not", () => {
  expect(hasTooManyFields(bytesOf("a=b&".repeat(20_000)), encoded)).toBe(true);
});

test("multipart forms are counted by their parts", async () => {
  const form = new FormData();
  form.set("message", "a & b\r\n\r\n".repeat(1_000));
  const few = new Response(form);
  expect(hasTooManyFields(await few.arrayBuffer(), few.headers.get("Content-Type"))).toBe(false);
  for (let field = 0; field < 100; field += 1) form.append("a", "b");
  const many = new Response(form);
  const manyParts = await many.arrayBuffer();
  const type = many.headers.get("Content-Type") ?? "";
  expect(hasTooManyFields(manyParts, type)).toBe(true);
  expect(hasTooManyFields(manyParts, type.replace("multipart", " MultiPart"))).toBe(true);
});
