import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import path from "node:path";
import { createSecureContext, TLSSocket } from "node:tls";

type Message = { uid: number; source: Buffer; flags: Set<string> };

export type ImapServer = Awaited<ReturnType<typeof startImapServer>>;

const tlsFolder = path.join(import.meta.dirname, "../fixtures/tls");

/** Signed by itself, and for the name `localhost` alone. */
export const imapCertificate = readFileSync(path.join(tlsFolder, "localhost.pem"), "utf8");

type ImapServerOptions = {
  password?: string;
  /** From the first byte on, or once the client asks for it; `none` offers none. */
  encryption?: "none" | "tls" | "starttls";
};

/**
 * A mailbox behind as much of IMAP (RFC 3501) as reading it takes: no well-kept server of it runs inside Node. It has one
 * user and any folder, and writes down what it was asked.
 */
export async function startImapServer({
  password = "secret",
  encryption = "none",
}: ImapServerOptions = {}) {
  const messages: Message[] = [];
  const commands: string[] = [];
  /** Whatever anybody on the way could have read. */
  const inClear: string[] = [];
  const sockets = new Set<Socket>();
  const secureContext = createSecureContext({
    cert: imapCertificate,
    key: readFileSync(path.join(tlsFolder, "key.pem")),
  });
  const encrypted = (socket: Socket) => new TLSSocket(socket, { isServer: true, secureContext });
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
    const first = encryption === "tls" ? encrypted(socket) : socket;
    first.write("* OK ready\r\n");
    listen(first);
  });

  function listen(socket: Socket) {
    socket.on("error", () => {});
    let waiting = "";
    const hear = (chunk: Buffer) => {
      waiting += chunk.toString("latin1");
      for (;;) {
        const end = waiting.indexOf("\r\n");
        if (end < 0) return;
        const line = waiting.slice(0, end);
        waiting = waiting.slice(end + 2);
        if (!(socket instanceof TLSSocket)) inClear.push(line);
        if (encryption === "starttls" && / STARTTLS$/i.test(line)) {
          commands.push("STARTTLS");
          socket.off("data", hear);
          socket.write(`${line.split(" ")[0]} OK begin\r\n`);
          listen(encrypted(socket));
          return;
        }
        answer(socket, line);
      }
    };
    socket.on("data", hear);
  }

  function answer(socket: Socket, line: string) {
    const [tag = "", ...words] = line.split(" ");
    const command = words.join(" ");
    commands.push(command.replace(/^LOGIN .*/, "LOGIN"));
    const name = (words[0] === "UID" ? words.slice(0, 2) : words.slice(0, 1))
      .join(" ")
      .toUpperCase();
    const lines: (string | Buffer)[] = [];
    let end = "OK done";
    if (name === "CAPABILITY") {
      const offers = encryption === "starttls" && !(socket instanceof TLSSocket);
      lines.push(`* CAPABILITY IMAP4rev1${offers ? " STARTTLS" : ""}\r\n`);
    } else if (name === "LOGIN") {
      if (!command.endsWith(`"${password}"`) && !command.endsWith(` ${password}`))
        end = "NO wrong password";
    } else if (name === "LIST") lines.push('* LIST (\\HasNoChildren) "/" INBOX\r\n');
    else if (name === "SELECT" || name === "EXAMINE") {
      lines.push(
        `* ${messages.length} EXISTS\r\n`,
        "* OK [UIDVALIDITY 1] valid\r\n",
        `* OK [UIDNEXT ${messages.length + 1}] next\r\n`,
      );
      end = "OK [READ-WRITE] done";
    } else if (name === "UID SEARCH") {
      const asked = ["Seen", "Flagged", "Deleted"];
      const isAsked = (word: string) => words.includes(word.toUpperCase());
      const [, from = "1"] = / UID (\d+):\*/.exec(command) ?? [];
      const found = messages.filter(({ uid, flags }, at) => {
        const hasFlags = asked.every((flag) => {
          const has = flags.has(`\\${flag}`);
          return (!isAsked(flag) || has) && (!isAsked(`UN${flag}`) || !has);
        });
        // A range to `*` always holds the last (RFC 3501, section 6.4.8).
        return hasFlags && (uid >= Number(from) || at === messages.length - 1);
      });
      lines.push(`* SEARCH ${found.map(({ uid }) => uid).join(" ")}\r\n`);
    } else if (name === "UID FETCH") {
      const message = messages.find(({ uid }) => uid === Number(words[2]));
      const [, start = "0", length = "0"] = /<(\d+)\.(\d+)>/.exec(command) ?? [];
      if (message) {
        const bytes = message.source.subarray(Number(start), Number(start) + Number(length));
        lines.push(
          `* ${messages.indexOf(message) + 1} FETCH (UID ${message.uid} BODY[]<${start}> {${bytes.length}}\r\n`,
        );
        lines.push(bytes, ")\r\n");
      }
    } else if (name === "LOGOUT") lines.push("* BYE\r\n");
    else if (!["NOOP", "CLOSE", "ID"].includes(name)) end = "BAD unknown";
    for (const part of lines) socket.write(part);
    socket.write(`${tag} ${end}\r\n`);
    if (name === "LOGOUT") socket.end();
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `imap://bounces%40news.chalkline.example:secret@127.0.0.1:${port}/INBOX`,
    messages,
    commands,
    inClear,
    port,
    add(source: Buffer) {
      messages.push({ uid: messages.length + 1, source, flags: new Set() });
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
