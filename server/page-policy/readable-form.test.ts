import { expect, test } from "vitest";
import { isReadableForm } from "./readable-form.ts";

const encoded = "application/x-www-form-urlencoded;charset=UTF-8";

function bytesOf(text: string): ArrayBuffer {
  return new TextEncoder().encode(text).buffer;
}

test("a form of a few fields is read, whatever it says", async () => {
  const form = new URLSearchParams({
    message: "a & b & c ".repeat(1_000),
    email: "pat@example.com",
  });
  expect(await isReadableForm(bytesOf(form.toString()), encoded)).toBe(true);
  expect(await isReadableForm(bytesOf("\ufffd%zz&&=%ff\0"), encoded)).toBe(true);
});

test("a form of thousands of fields is not", async () => {
  expect(await isReadableForm(bytesOf("a=b&".repeat(20_000)), encoded)).toBe(false);
});

test("multipart forms are counted by their parts", async () => {
  const form = new FormData();
  form.set("message", "a & b\r\n\r\n".repeat(1_000));
  const few = new Response(form);
  expect(await isReadableForm(await few.arrayBuffer(), few.headers.get("Content-Type"))).toBe(true);
  for (let field = 0; field < 100; field += 1) form.append("a", "b");
  const many = new Response(form);
  const manyParts = await many.arrayBuffer();
  const type = many.headers.get("Content-Type") ?? "";
  expect(await isReadableForm(manyParts, type)).toBe(false);
  expect(await isReadableForm(manyParts, type.replace("multipart", " MultiPart"))).toBe(false);
});

test.each([
  ["text/plain", "email=pat@example.com"],
  ["application/json", "{}"],
  [null, "email=pat@example.com"],
  ["multipart/form-data", "--x"],
  [
    "multipart/form-data; boundary=x",
    '--x\r\nContent-Disposition: form-data; name="email"\r\n\r\npat',
  ],
])("what isn't a whole form isn't read: %s, %s", async (type, body) => {
  expect(await isReadableForm(bytesOf(body), type)).toBe(false);
});
