import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createHttpServer, listen } from "./listen.ts";

async function start() {
  const begun: string[] = [];
  const responses: ServerResponse[] = [];
  const server = createHttpServer();
  let parsed = 0;
  server.on("request", () => {
    parsed += 1;
  });
  const listener = await listen(server, { port: 0, host: "127.0.0.1" });
  listener.answerWith((request, response) => {
    begun.push(request.url ?? "");
    responses.push(response);
  });
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
  return { begun, responses, socket, ask, parsed: () => parsed, received: () => received };
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

test("closes a connection that asks for more ahead than anybody needs, having begun one and read few", async () => {
  const { begun, socket, ask, parsed } = await start();
  const closed = once(socket, "close");
  ask(500);
  await closed;
  await delay(20);
  expect(begun).toEqual(["/0"]);
  expect(parsed()).toBe(10);
});
