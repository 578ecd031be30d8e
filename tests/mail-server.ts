import type { Socket } from "node:net";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

/**
 * How the server behaves: takes mail; puts recipients off for now (451) or for good (550); takes the whole message and
 * breaks the connection before it says so; never answers; takes no connections in (421); refuses every sign-in (535);
 * refuses headers that aren't ASCII, as one without SMTPUTF8 does (554 5.6.7).
 */
type MailServerMode =
  | "accept"
  | "defer"
  | "reject"
  | "drop"
  | "silent"
  | "busy"
  | "ascii"
  | "locked";

/** After how many mails it answers so, and where. */
type MailServerLimit = { accepts: number; at: "recipient" | "message"; answer: string };

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

export async function startMailServer(mode: MailServerMode = "accept") {
  const sockets = new Set<Socket>();
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    onAuth({ username }, _session, callback) {
      if (mailServer.mode !== "locked") callback(null, { user: username });
      else callback(smtpError(535, "5.7.8 Wrong password"));
    },
    hideSTARTTLS: true,
    onConnect(_session, callback) {
      mailServer.connections += 1;
      const { mode } = mailServer;
      if (mode === "busy") callback(smtpError(421, "4.3.2 Too many connections, try again later"));
      else if (mode !== "silent") callback();
    },
    onRcptTo({ address }, _session, callback) {
      const limited = refusalAt("recipient");
      if (limited) return callback(limited);
      const refusal = mailServer.refused.get(address);
      if (refusal) {
        mailServer.turnedAway.push(address);
        callback(smtpError(550, refusal));
      } else if (mailServer.mode === "defer" || mailServer.putOff.delete(address))
        callback(smtpError(451, "4.7.1 Greylisted, come back later"));
      else if (mailServer.mode === "reject") callback(smtpError(550, "5.1.1 No such user here"));
      else callback();
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", async () => {
        const source = Buffer.concat(chunks).toString();
        const [headers = ""] = source.split("\r\n\r\n", 1);
        if (mailServer.mode === "ascii" && /[^\u0000-\u007f]/.test(headers)) {
          callback(smtpError(554, "5.6.7 Non-ASCII addresses not permitted"));
          return;
        }
        const limited = refusalAt("message");
        if (limited) return callback(limited);
        const to = session.envelope.rcptTo.map((recipient) => recipient.address);
        const { mailFrom } = session.envelope;
        const from = mailFrom ? mailFrom.address : "";
        const email = await PostalMime.parse(source);
        mailServer.received.push({ from, to, source, email, greeting: session.hostNameAppearsAs });
        if (mailServer.mode === "drop") for (const socket of sockets) socket.destroy();
        else callback();
      });
    },
  });
  function refusalAt(stage: MailServerLimit["at"]): Error | null {
    const { limit, received } = mailServer;
    if (limit?.at !== stage || received.length < limit.accepts) return null;
    return smtpError(Number(limit.answer.slice(0, 3)), limit.answer.slice(4));
  }
  server.on("error", () => {});
  server.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.server.address() as { port: number };
  const mailServer = {
    url: `smtp://firm:secret@127.0.0.1:${port}`,
    mode,
    /** Answers these recipients with 550, whatever its mode. */
    refused: new Map<string, string>(),
    turnedAway: [] as string[],
    connections: 0,
    limit: null as MailServerLimit | null,
    /** Recipients whom it puts off once (451), whatever its mode. */
    putOff: new Set<string>(),
    /** Every message whose content arrived whole, the dropped ones included; `from` and `to` are those of the envelope. */
    received: [] as {
      from: string;
      to: string[];
      source: string;
      email: Email;
      greeting: string;
    }[],
    /** Breaks every open connection off, so that the next mail comes by a new one. */
    cut() {
      for (const socket of sockets) socket.destroy();
    },
    async goDown() {
      const closed = new Promise((resolve) => server.server.close(resolve));
      mailServer.cut();
      await closed;
    },
    async comeBack() {
      await new Promise<void>((resolve) => server.server.listen(port, "127.0.0.1", resolve));
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(resolve));
      mailServer.cut();
      await closed;
    },
  };
  return mailServer;
}

function smtpError(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}
