/** A request as it goes over the wire: nothing of it is put right on the way. */
export type HostileRequest = {
  method?: "GET" | "POST";
  /** Path and query as sent, such as `/../x?`. */
  target: string;
  headers?: Record<string, string>;
  body?: string;
};

/** One kind of attack: its requests, each made anew by a running number, and how they are sent. */
export type HostileKind = {
  name: string;
  connections: number;
  /** Requests sent on a connection in one go, before the answer to the first. */
  pipelined: number;
  shapes: HostileShape[];
};

export type HostileShape = { name: string; request: (n: number) => HostileRequest };

/** The request in bytes (RFC 9112). */
export function asBytes({ method = "GET", target, headers = {}, body = "" }: HostileRequest) {
  const sent = {
    host: "localhost",
    ...(method === "POST" ? { "content-length": String(Buffer.byteLength(body)) } : {}),
    ...headers,
  };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n${body}`, "utf8");
}
