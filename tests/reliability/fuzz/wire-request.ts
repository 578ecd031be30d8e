/** A request as it goes over the wire: nothing in it is checked, encoded or completed on the way. */
export type WireRequest = {
  method: string;
  /** Path and query, in bytes as Latin-1 text. */
  target: string;
  /** Beside Host and those of the framing; bytes as Latin-1 text. */
  headers: [name: string, value: string][];
  body: Buffer | null;
  /** Whether the body is announced by its length or sent in chunks. */
  framing: "length" | "chunked";
  /** Bytes of the body that are sent at a time; null for all of it at once. */
  pieceBytes: number | null;
};

const host = "localhost";

/** A request without a body. */
export function get(target: string, headers: [string, string][] = []): WireRequest {
  return { method: "GET", target, headers, body: null, framing: "length", pieceBytes: null };
}

/** The pieces of the request in the order in which they are sent. */
export function wirePieces(request: WireRequest): Buffer[] {
  const { method, target, headers, body, framing } = request;
  const chunked = body !== null && framing === "chunked";
  const length = body !== null && !chunked ? [["Content-Length", String(body.length)]] : [];
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(headers.some(([name]) => /^host$/i.test(name)) ? [] : [`Host: ${host}`]),
    ...[...headers, ...length].map(([name, value]) => `${name}: ${value}`),
    ...(chunked ? ["Transfer-Encoding: chunked"] : []),
  ];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  if (body === null) return [head];
  const pieces = inPieces(body, request.pieceBytes);
  if (!chunked) return [head, ...pieces];
  const chunks = pieces.map((piece) =>
    Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]),
  );
  return [head, ...chunks, Buffer.from("0\r\n\r\n")];
}

function inPieces(body: Buffer, pieceBytes: number | null): Buffer[] {
  if (body.length === 0) return [];
  const size = pieceBytes ?? body.length;
  const pieces: Buffer[] = [];
  for (let start = 0; start < body.length; start += size) {
    pieces.push(body.subarray(start, start + size));
  }
  return pieces;
}
