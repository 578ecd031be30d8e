import { expect, test } from "vitest";
import { readJsonObject } from "./read-json-object.ts";

test.each([{}, { "content-length": "20" }])(
  "a body that doesn't arrive in time is given up",
  async (headers) => {
    const request = new Request("http://localhost/", {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from("{")) }),
      duplex: "half",
    } as RequestInit);
    expect(await readJsonObject(request, { timeoutMs: 30 })).toMatchObject({
      ok: false,
      status: 408,
    });
  },
);
