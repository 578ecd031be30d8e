import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createHttpServer, listen } from "./listen.ts";
import { oneAtATime } from "./pipelining.ts";

async function start({ lingerMs = 0, places = 100 } = {}) {
  const begun: string[] = [];
  const responses: ServerResponse[] = [];
  const server = createHttpServer({ connectionsMax: places });
  let parsed = 0;
  server.on("request", () => {
    parsed += 1;
  });
  const listener = await listen(server, { port: 0, host: "127.0.0.1" });
  const answer = oneAtATime((request, response) => {
    begun.push(request.url ?? "");
    responses.push(response);
  }, lingerMs);
  server.on("request", answer);
  onTestFinished(() => listener.stop(0));
  const socket = connect(listener.port, "127.0.0.1");
  await once(socket, "connect");
  onTestFinished(() => void socket.destroy());
  let received = "";
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString();
  });
  socket.on("error", () => {});
  const ask = (count: number) =>
    socket.write(
      Array.from({ length: count }, (_, n) => `GET /${n} HTTP/1.1\r\nHost: localhost\r\n\r\n`).join(
        "",
      ),
    );
  const { port } = listener;
  return { begun, responses, port, socket, ask, parsed: () => parsed, received: () => received };
}

test("begins one answer at a time on a connection, in order, however many are asked for", async () => {
  const { begun, responses, ask, received } = await start();
  ask(9);
  await expect.poll(() => begun).toEqual(["/0"]);
  for (let n = 0; n < 9; n += 1) {
    await expect.poll(() => responses.length).toBe(n + 1);
    responses[n]?.end(`answer ${n}\n`);
  }
  await expect.poll(() => received().match(/answer \d/g)).toHaveLength(9);
  expect(
    received()
      .match(/answer \d/g)
      ?.join(),
  ).toMatch(/^answer 0,answer 1,.*answer 8$/);
  expect(begun).toEqual(Array.from({ length: 9 }, (_, n) => `/${n}`));
});

test("begins one and reads few where more is asked for ahead than anybody needs, then closes", async () => {
  const { begun, responses, socket, ask, parsed } = await start({ lingerMs: 50 });
  const closed = once(socket, "close");
  ask(500);
  await expect.poll(() => responses.length).toBe(1);
  responses[0]?.end("answer 0\n");
  await closed;
  expect(begun).toEqual(["/0"]);
  expect(parsed()).toBe(10);
});

test("holds such a connection open, and lets it go as soon as somebody needs its place", async () => {
  const { responses, port, socket, ask, parsed } = await start({ lingerMs: 600_000, places: 1 });
  const closed = once(socket, "close");
  ask(500);
  await expect.poll(parsed).toBe(10);
  responses[0]?.end("answer 0\n");
  await once(socket, "data");
  expect(socket.closed).toBe(false);
  const newcomer = connect(port, "127.0.0.1");
  onTestFinished(() => void newcomer.destroy());
  newcomer.write("GET /new HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await expect.poll(() => responses.length).toBe(2);
  responses[1]?.end("welcome\n");
  await once(newcomer, "data");
  await closed;
});
