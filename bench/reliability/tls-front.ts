import { createServer as createHttpServer, type IncomingMessage, request } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** The first byte of a TLS handshake record (RFC 8446, section 5.1). */
const tlsHandshake = 22;

type TlsFront = {
  /** Host and port, at which both http and https are answered. */
  host: string;
  /** Where requests go from now on: the site behind. */
  forwardTo: (port: number) => void;
  close: () => Promise<void>;
};

/**
 * What stands before the site where it's public, on one port of this machine: it ends TLS and hands on each request as
 * it is, and what comes by http it sends to the same address by https. It adds no header of its own.
 */
export async function startTlsFront({
  key,
  cert,
}: {
  key: string;
  cert: string;
}): Promise<TlsFront> {
  let sitePort = 0;
  const secure = createHttpsServer({ key, cert }, (incoming, outgoing) => {
    forward(incoming, sitePort).then(
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(outgoing);
      },
      () => outgoing.writeHead(502).end(),
    );
  });
  const plain = createHttpServer((incoming, outgoing) => {
    outgoing.writeHead(301, { location: `https://${host}${incoming.url}` }).end();
  });
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    socket.once("data", (first) => {
      socket.pause();
      socket.unshift(first);
      (first[0] === tlsHandshake ? secure : plain).emit("connection", socket);
      process.nextTick(() => socket.resume());
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "localhost", resolve));
  const host = `localhost:${(listener.address() as AddressInfo).port}`;
  return {
    host,
    forwardTo(port) {
      sitePort = port;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

function forward(incoming: IncomingMessage, port: number): Promise<IncomingMessage> {
  const { method, url: path, headers } = incoming;
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, method, path, headers }, resolve);
    asked.on("error", reject);
    incoming.pipe(asked);
  });
}
