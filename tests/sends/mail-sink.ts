/**
 * A real SMTP server that behaves as providers do, as a process of its own so that it can be killed: it puts some
 * recipients off once, refuses some for good, and drops each connection after so many mails. What it takes it writes
 * down before it says so.
 */
import { appendFileSync } from "node:fs";
import type { Socket } from "node:net";
import { SMTPServer } from "smtp-server";
import { fateOf } from "./fates.ts";

const [port = "0", logFile = "", mailsPerConnection = "250"] = process.argv.slice(2);

const putOff = new Set<string>();
const sockets = new Map<string, Socket>();
const taken = new Map<string, number>();

function write(event: string, to: string, messageId = "") {
  appendFileSync(logFile, `${JSON.stringify({ event, to, messageId })}\n`);
}

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

const server = new SMTPServer({
  authOptional: true,
  hideSTARTTLS: true,
  disabledCommands: ["AUTH"],
  onRcptTo({ address }, _session, callback) {
    const fate = fateOf(address);
    if (fate === "refused") {
      write("refused", address);
      callback(smtpError(550, "5.1.1 No such user here"));
    } else if (fate === "put off" && !putOff.has(address)) {
      putOff.add(address);
      write("put off", address);
      callback(smtpError(451, "4.7.1 Greylisted, come back later"));
    } else callback();
  },
  onData(stream, session, callback) {
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      const [headers = ""] = Buffer.concat(chunks).toString("latin1").split("\r\n\r\n");
      const messageId = /^Message-ID:\s*(\S+)/im.exec(headers)?.[1] ?? "";
      for (const { address } of session.envelope.rcptTo) write("accepted", address, messageId);
      callback();
      const count = (taken.get(session.id) ?? 0) + 1;
      taken.set(session.id, count);
      if (count >= Number(mailsPerConnection)) setImmediate(() => drop(session.remotePort));
    });
  },
});

function drop(remotePort: number) {
  for (const socket of sockets.values()) if (socket.remotePort === remotePort) socket.destroy();
}

server.on("error", () => {});
server.server.on("connection", (socket: Socket) => {
  const key = `${socket.remotePort}`;
  sockets.set(key, socket);
  socket.once("close", () => sockets.delete(key));
});
server.listen(Number(port), "127.0.0.1", () => {
  process.send?.({ port: (server.server.address() as { port: number }).port });
});
process.on("disconnect", () => process.exit());
