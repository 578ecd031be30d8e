import { connect, type Socket } from "node:net";

/** What a slow client drags out: the headers of its request, the body, or the reading of the answer. */
export type SlowKind = "headers" | "body" | "reading";

type SlowClients = {
  /** How many the server still holds. */
  connected(): number;
  close(): void;
};

type SlowOptions = {
  port: number;
  kind: SlowKind;
  count: number;
  /** What is asked for; the body of a post for `body`. */
  path: string;
  /** Between two bytes or lines that keep the connection busy. */
  everyMs: number;
};

const beginnings: Record<SlowKind, (path: string) => string> = {
  headers: (path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n`,
  body: (path) =>
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n{`,
  reading: (path) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
};

/** Opens so many connections that each do the least that looks alive. Resolves when all of them are connected. */
export async function startSlowClients({
  port,
  kind,
  count,
  path,
  everyMs,
}: SlowOptions): Promise<SlowClients> {
  const sockets = new Set<Socket>();
  const connecting = Array.from({ length: count }, () => {
    const socket = connect({ port, host: "127.0.0.1" });
    const connected = Promise.withResolvers<void>();
    socket.once("connect", () => {
      sockets.add(socket);
      socket.write(beginnings[kind](path));
      connected.resolve();
    });
    socket.on("error", () => connected.resolve());
    socket.once("close", () => sockets.delete(socket));
    // An answer or an end is only noticed by a client that reads.
    if (kind !== "reading") socket.on("data", () => {}).on("end", () => socket.destroy());
    else socket.pause();
    return connected.promise;
  });
  await Promise.all(connecting);

  const drip = setInterval(() => {
    for (const socket of sockets) {
      if (kind === "headers") socket.write("X-Slow: 1\r\n");
      else if (kind === "body") socket.write(" ");
      // One byte is taken, and the end of the connection is seen where it has come.
      else socket.read(1);
    }
  }, everyMs);
  return {
    connected: () => sockets.size,
    close() {
      clearInterval(drip);
      for (const socket of sockets) socket.destroy();
    },
  };
}
