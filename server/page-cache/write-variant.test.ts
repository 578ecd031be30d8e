import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createVariant, writeVariant } from "./write-variant.ts";

const page = createVariant({
  shared: [["content-type", "text/html; charset=utf-8"]],
  etag: '"1"',
  encoding: null,
  body: Buffer.from("<p>A page"),
});

/** Asks a server of the page on one connection, one request after the other, and gives the heads of its answers. */
async function answersTo(...requests: string[]) {
  const server = createServer((request, response) => writeVariant(200, page, request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  const heads: string[] = [];
  for (const request of requests) {
    socket.write(`${request}\r\nHost: localhost\r\n\r\n`);
    let answer = "";
    while (!answer.endsWith("<p>A page")) answer += (await once(socket, "data"))[0];
    heads.push(answer);
  }
  return heads;
}

test("a connection is kept, and nothing is said of it to who knows", async () => {
  const heads = await answersTo("GET /a HTTP/1.1", "GET /b HTTP/1.1");
  expect(heads).toHaveLength(2);
  expect(heads.join()).not.toMatch(/^(connection|keep-alive):/im);
});

test.each([
  ["an older version that asks for it", "GET / HTTP/1.0\r\nConnection: keep-alive", "keep-alive"],
  ["who wants it closed", "GET / HTTP/1.1\r\nConnection: close", "close"],
])("%s is told what becomes of the connection", async (_who, request, said) => {
  const [head] = await answersTo(request);
  expect(head?.toLowerCase()).toContain(`\r\nconnection: ${said}\r\n`);
});
