import type { Socket } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

/**
 * How the server behaves: takes mail; puts recipients off for now (451) or for good (550); takes the whole message and
 * breaks the connection before it says so; never answers.
 */
export type MailServerMode = "accept" | "defer" | "reject" | "drop" | "silent";

export type ReceivedMail = { to: string[]; source: string; email: Email };

export type MailServer = {
  url: string;
  mode: MailServerMode;
  /** Every message whose content arrived whole, the dropped ones included. */
  received: ReceivedMail[];
  close(): Promise<void>;
};

/** A real SMTP server on a free port of this machine. */
export async function startMailServer(mode: MailServerMode = "accept"): Promise<MailServer> {
  const sockets = new Set<Socket>();
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    onConnect(_session, callback) {
      if (mailServer.mode !== "silent") callback();
    },
    onRcptTo(_address, _session, callback) {
      if (mailServer.mode === "defer")
        callback(smtpError(451, "4.7.1 Greylisted, come back later"));
      else if (mailServer.mode === "reject") callback(smtpError(550, "5.1.1 No such user here"));
      else callback();
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const source = Buffer.concat(chunks).toString();
        const to = session.envelope.rcptTo.map((recipient) => recipient.address);
        mailServer.received.push({ to, source, email: await PostalMime.parse(source) });
        if (mailServer.mode === "drop") for (const socket of sockets) socket.destroy();
        else callback();
      });
    },
  });
  server.on("error", () => {});
  server.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as { port: number };
  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    mode,
    received: [],
    async close() {
      const closed = new Promise<void>((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return mailServer;
}

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
