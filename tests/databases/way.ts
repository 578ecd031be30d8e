import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

/** An address that leads to whichever server of this machine it is told to, until the test has finished. */
export async function startWay(databaseUrl: string) {
  const url = new URL(databaseUrl);
  let target = Number(url.port);
  let isOpen = true;
  const sockets: Socket[] = [];
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    sockets.push(client, upstream);
    for (const socket of [client, upstream]) socket.on("error", () => {});
    if (isOpen) client.pipe(upstream).pipe(client);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    leadTo(other: string) {
      target = Number(new URL(other).port);
    },
    /** Nothing comes through the connections that are there, and none of them ends; nor, if told, through new ones. */
    silence({ forGood = false } = {}) {
      isOpen = !forGood;
      for (const socket of sockets) socket.unpipe();
    },
  };
}
