import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createHttpServer, type HttpLimits, listen } from "./listen.ts";

const megabyte = 1024 * 1024;
/** More than the system takes in for a reader that doesn't read. */
const largeAnswer = Buffer.alloc(24 * megabyte, "x");

type Listener = { server: Server; port: number };

async function startListener(limits: Partial<HttpLimits>): Promise<Listener> {
  const server = createHttpServer(limits);
  const listener = await listen(server, { port: 0, host: "127.0.0.1" });
  listener.answerWith((request, response) => {
    request.resume();
    // In parts, of which the next is made when the reader has taken the one before.
    if (request.url === "/parts") response.write(largeAnswer);
    else response.end(request.url === "/large" ? largeAnswer : "hello");
  });
  onTestFinished(() => listener.stop(0));
  return { server, port: listener.port };
}

/** Asks, and reads nothing until it is told to. A reader that reads nothing doesn't notice its end: the server does. */
async function askFrom({ server, port }: Listener, localAddress: string, path: string) {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  onTestFinished(() => void socket.destroy());
  const [served] = (await once(server, "connection")) as [Socket];
  const begun = once(server, "request");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await begun;
  return {
    isOpen: () => !served.destroyed,
    async readBytes(wanted: number) {
      let bytes = 0;
      for await (const chunk of socket) {
        bytes += chunk.length;
        if (bytes >= wanted) break;
      }
      return bytes;
    },
  };
}

test("of answers that nobody takes, those of the network with most of them go, the oldest first", async () => {
  const listener = await startListener({ readTimeout: 20_000, untakenMaxBytes: 60 * megabyte });
  const visitor = await askFrom(listener, "127.0.0.2", "/large");
  const crowd: Awaited<ReturnType<typeof askFrom>>[] = [];
  for (let n = 0; n < 3; n += 1) crowd.push(await askFrom(listener, "127.0.0.1", "/large"));
  const areOpen = () => crowd.map(({ isOpen }) => isOpen());
  await expect.poll(areOpen).toEqual([false, false, true]);
  expect(await visitor.readBytes(largeAnswer.length)).toBeGreaterThanOrEqual(largeAnswer.length);
});

test("a reader that doesn't take the part it was sent makes way for a visitor", async () => {
  const listener = await startListener({ connectionsMax: 2 });
  for (let n = 0; n < 2; n += 1) await askFrom(listener, "127.0.0.1", "/parts");
  const visitor = await askFrom(listener, "127.0.0.2", "/");
  expect(await visitor.readBytes(1)).toBeGreaterThan(0);
});
