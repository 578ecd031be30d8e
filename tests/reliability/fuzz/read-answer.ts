/** One answer, read as strictly as RFC 9112 is written. Header names in lower case, values in order. */
export type Answer = {
  status: number;
  headers: ReadonlyMap<string, string[]>;
  body: Buffer;
  /** Whether the server closes the connection after it. */
  closes: boolean;
};

type Reading =
  | { state: "incomplete" }
  | { state: "complete"; answer: Answer; rest: Buffer }
  | { state: "broken"; why: string };

const incomplete: Reading = { state: "incomplete" };
const statusLine = /^HTTP\/1\.1 ([1-5]\d\d) ([\x20-\x7e\t]*)$/;
const headerLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([\x20-\x7e\t\x80-\xff]*?)[ \t]*$/;

/** Reads the first final answer of what has arrived. Interim ones (100) are passed over. */
export function readAnswer(received: Buffer, method: string): Reading {
  const headEnd = received.indexOf("\r\n\r\n");
  if (headEnd < 0) {
    // What can't become a status line any more is no HTTP.
    const start = received.subarray(0, 5).toString("latin1");
    return "HTTP/".startsWith(start) ? incomplete : broken(`begins with ${JSON.stringify(start)}`);
  }
  const [first = "", ...lines] = received.toString("latin1", 0, headEnd).split("\r\n");
  const status = Number(statusLine.exec(first)?.[1]);
  if (!status) return broken(`has the status line ${JSON.stringify(first)}`);
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const [, name, value = ""] = headerLine.exec(line) ?? [];
    if (name === undefined) return broken(`has the header line ${JSON.stringify(line)}`);
    const key = name.toLowerCase();
    headers.set(key, [...(headers.get(key) ?? []), value]);
  }
  const afterHead = received.subarray(headEnd + 4);
  if (status === 100) return readAnswer(afterHead, method);
  return readBody({ method, status, headers, received: afterHead });
}

type Head = { method: string; status: number; headers: Map<string, string[]>; received: Buffer };

function readBody({ method, status, headers, received }: Head): Reading {
  const [length, ...otherLengths] = headers.get("content-length") ?? [];
  const chunked = headers.get("transfer-encoding")?.join().toLowerCase() === "chunked";
  const closes = headers.get("connection")?.join().toLowerCase() === "close";
  const complete = (body: Buffer, rest: Buffer): Reading => ({
    state: "complete",
    answer: { status, headers, body, closes },
    rest,
  });
  if (otherLengths.length > 0 || (length !== undefined && chunked)) {
    return broken("says its length twice");
  }
  if (method === "HEAD" || status === 204 || status === 304) {
    return complete(Buffer.alloc(0), received);
  }
  if (chunked) {
    const read = readChunks(received);
    return "why" in read
      ? broken(read.why)
      : read.whole
        ? complete(read.body, read.rest)
        : incomplete;
  }
  if (length === undefined) {
    // The bare refusals of the HTTP parser end with the connection.
    return closes ? complete(received, Buffer.alloc(0)) : broken("says no length");
  }
  if (!/^\d+$/.test(length)) return broken(`says its length is ${JSON.stringify(length)}`);
  const size = Number(length);
  if (received.length < size) return incomplete;
  return complete(received.subarray(0, size), received.subarray(size));
}

type Chunks = { whole: boolean; body: Buffer; rest: Buffer } | { why: string };

function readChunks(received: Buffer): Chunks {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = received.indexOf("\r\n", at);
    if (lineEnd < 0) return { whole: false, body: received, rest: received };
    const line = received.toString("latin1", at, lineEnd);
    if (!/^[0-9a-f]{1,8}$/i.test(line)) return { why: `has the chunk ${JSON.stringify(line)}` };
    const size = Number.parseInt(line, 16);
    const start = lineEnd + 2;
    const end = start + size;
    if (received.length < end + 2) return { whole: false, body: received, rest: received };
    if (received.toString("latin1", end, end + 2) !== "\r\n") return { why: "has a torn chunk" };
    if (size === 0)
      return { whole: true, body: Buffer.concat(parts), rest: received.subarray(end + 2) };
    parts.push(received.subarray(start, end));
    at = end + 2;
  }
}

function broken(why: string): Reading {
  return { state: "broken", why: `The answer ${why}.` };
}
