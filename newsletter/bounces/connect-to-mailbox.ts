import type { ImapFlow } from "imapflow";

const connectionTimeoutMs = 20_000;
const greetingTimeoutMs = 15_000;
const socketTimeoutMs = 60_000;

/** The folder that a mailbox's address names after its host; `INBOX` where it names none. */
export function folderOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1)) || "INBOX";
}

/** Connects and signs in. imapflow is loaded only by those who have such a mailbox. */
export async function connectToMailbox(url: string): Promise<ImapFlow> {
  const { ImapFlow } = await import("imapflow");
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === "imaps:";
  const client = new ImapFlow({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (secure ? 993 : 143),
    secure,
    // A password goes unencrypted to this machine alone.
    ...(secure || isThisMachine(hostname) ? {} : { doSTARTTLS: true }),
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: connectionTimeoutMs,
    greetingTimeout: greetingTimeoutMs,
    socketTimeout: socketTimeoutMs,
  });
  // Whatever waits for an answer is told too; without a listener an error would end the process.
  client.on("error", () => {});
  await client.connect();
  return client;
}

function isThisMachine(hostname: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}
