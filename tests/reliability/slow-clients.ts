import { once } from "node:events";
import { connect } from "node:net";

/** Opens so many connections that each post a body by a byte at a time. Resolves once all are connected. */
export async function startSlowClients({
  port,
  path,
  count,
  everyMs,
}: {
  port: number;
  path: string;
  count: number;
  everyMs: number;
}): Promise<{ close(): void }> {
  const type = "Content-Type: application/json\r\nContent-Length: 4000";
  const sockets = Array.from({ length: count }, () =>
    connect(port, "127.0.0.1").on("error", () => {}),
  );
  for (const socket of sockets) {
    await once(socket, "connect");
    socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\n${type}\r\n\r\n{`);
    socket.resume();
  }
  const drip = setInterval(() => {
    for (const socket of sockets) if (socket.writable) socket.write(" ");
  }, everyMs);
  return {
    close() {
      clearInterval(drip);
      for (const socket of sockets) socket.destroy();
    },
  };
}
