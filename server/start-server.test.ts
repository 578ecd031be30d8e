import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { startTestServer } from "#tests/test-server.ts";

/** Sends what fetch wouldn't, and returns the status of each answer. */
async function sendRaw(port: number, head: string, body = ""): Promise<number[]> {
  const socket = connect(port, "127.0.0.1");
  socket.write(`${head}\r\nHost: localhost\r\nConnection: close\r\n\r\n${body}`);
  return Array.from((await text(socket)).matchAll(/HTTP\/1\.1 (\d+)/g), (line) => Number(line[1]));
}

test("the server takes the absolute form of an address for files, pages and posts alike", async () => {
  const { port } = await startTestServer();
  for (const target of ["/favicon.svg", "/pricing", "", "/healthz?a=b"])
    expect(await sendRaw(port, `GET http://localhost${target} HTTP/1.1`)).toEqual([200]);
  const post = "POST http://localhost/functions/v1/newsletter-signup HTTP/1.1\r\nContent-Length: ";
  expect(await sendRaw(port, `${post}2`, "{}")).toEqual([422]);
});

test("the server doesn't ask for a body that it will refuse", async () => {
  const { port } = await startTestServer();
  for (const path of ["/contact", "/functions/v1/newsletter-signup"]) {
    const head = `POST ${path} HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: `;
    expect(await sendRaw(port, `${head}5000000`)).toEqual([413]);
    expect(await sendRaw(port, `${head}2`, "{}")).toEqual([100, expect.any(Number)]);
  }
});
