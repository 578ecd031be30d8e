import fc from "fast-check";

/** Bytes for a connection of their own, as no client would send them. */
export type Exchange = {
  what: string;
  bytes: Buffer;
  /** Half-closes behind the bytes and reads to the end; otherwise the connection is cut off. */
  end: boolean;
  /** The statuses that have to come, in order; null where any refusal will do. */
  statuses: number[] | null;
  /** No more answers than this may come: one more means that a body was read as a request. */
  answersMax: number;
};

const host = "Host: localhost\r\n";
/** What an attacker hides behind a request, to be answered as if somebody else had sent it. */
const hidden = `GET /smuggled HTTP/1.1\r\n${host}\r\n`;
const harmless = '{"email":"none"}';

function exchange(what: string, text: string, rest: Partial<Exchange> = {}): Exchange {
  return {
    what,
    bytes: Buffer.from(text, "latin1"),
    end: true,
    statuses: null,
    answersMax: 1,
    ...rest,
  };
}

function post(headers: string, body: string): string {
  return `POST /functions/v1/newsletter-signup HTTP/1.1\r\n${host}Content-Type: application/json\r\n${headers}\r\n${body}`;
}

const answered: [request: string, status: number][] = [
  [`GET /healthz HTTP/1.1\r\n${host}\r\n`, 200],
  [`HEAD /pricing HTTP/1.1\r\n${host}\r\n`, 200],
  [`GET /nothing-here HTTP/1.1\r\n${host}\r\n`, 404],
  [`GET /rest/v1/final_newsletters?select=id HTTP/1.1\r\n${host}\r\n`, 200],
  [`GET /rest/v1/subscribers HTTP/1.1\r\n${host}\r\n`, 404],
  [post(`Content-Length: ${harmless.length}\r\n`, harmless), 200],
  [post("Transfer-Encoding: chunked\r\n", `10\r\n${harmless}\r\n0\r\n\r\n`), 200],
  [`GET /robots.txt HTTP/1.1\r\n${host}\r\n`, 200],
];

/** As many requests in one write as are taken are answered one by one, in order. */
const pipelined = fc
  .array(fc.constantFrom(...answered), { minLength: 2, maxLength: 9 })
  .map((requests) =>
    exchange("pipelined", requests.map(([request]) => request).join(""), {
      // The last one says that it is, since a half-closed connection can end the ones before it.
      end: false,
      statuses: requests.map(([, status]) => status),
      answersMax: requests.length,
    }),
  );

/** A body whose length can be read in two ways is refused, and nothing after it is read. */
const smuggled = fc
  .constantFrom(
    `Content-Length: 4\r\nTransfer-Encoding: chunked\r\n`,
    `Transfer-Encoding: chunked\r\nContent-Length: 400\r\n`,
    `Content-Length: 0\r\nContent-Length: ${harmless.length}\r\n`,
    `Content-Length: 0, 5\r\n`,
    `Content-Length: +5\r\n`,
    `Content-Length: -1\r\n`,
    `Content-Length: 0x10\r\n`,
    `Content-Length: 99999999999999999999\r\n`,
    `Content-Length: 1 6\r\n`,
    `Transfer-Encoding: xchunked\r\n`,
    `Transfer-Encoding: chunked, identity\r\n`,
    `Transfer-Encoding: identity\r\n`,
    `Transfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n`,
    `Transfer-Encoding : chunked\r\n`,
    `Transfer-Encoding:\x0bchunked\r\n`,
    ` Transfer-Encoding: chunked\r\n`,
    `X: y\nTransfer-Encoding: chunked\r\n`,
    `X: y\rTransfer-Encoding: chunked\r\n`,
  )
  .chain((headers) =>
    fc
      .constantFrom(
        `0\r\n\r\n${hidden}`,
        `${harmless}${hidden}`,
        `10\r\n${harmless}\r\n0\r\n\r\n${hidden}`,
      )
      .map((body) => exchange("smuggled", post(headers, body), { statuses: [400] })),
  );

const tornChunks = fc
  .constantFrom(
    "zz\r\n",
    "-1\r\n",
    "10",
    "10\r\nshort\r\n0\r\n\r\n",
    `10\n${harmless}\n0\n\n`,
    "FFFFFFFFFFFFFFFFF\r\n",
    "1;".padEnd(20_000, "e"),
    "10 \r\n",
    "0x10\r\n",
    `10\r\n${harmless}X\r\n0\r\n\r\n`,
    `10\r\n${harmless}\r\n0\r\nTrailer\r\n\r\n`,
    "\r\n",
    "",
  )
  .map((body) => exchange("torn chunks", post("Transfer-Encoding: chunked\r\n", body)));

const odd = fc.constantFrom(
  exchange("no version", "GET /\r\n\r\n"),
  exchange("HTTP/1.0", "GET /healthz HTTP/1.0\r\n\r\n", { statuses: [200] }),
  exchange("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  exchange("HTTP/9.9", `GET / HTTP/9.9\r\n${host}\r\n`),
  exchange("TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\x00"),
  exchange("no host", "GET / HTTP/1.1\r\n\r\n", { statuses: [400] }),
  exchange("two hosts", `GET /healthz HTTP/1.1\r\n${host}Host: evil.example\r\n\r\n`),
  exchange("absolute form", `GET http://evil.example/healthz HTTP/1.1\r\n${host}\r\n`),
  exchange("absolute form of no scheme", `GET ftp://evil.example/ HTTP/1.1\r\n${host}\r\n`),
  exchange("asterisk", `OPTIONS * HTTP/1.1\r\n${host}\r\n`),
  exchange("asterisk for a page", `GET * HTTP/1.1\r\n${host}\r\n`),
  exchange("tunnel", `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`),
  exchange(
    "web socket",
    `GET / HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n`,
  ),
  exchange(
    "h2c",
    `GET /healthz HTTP/1.1\r\n${host}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQ\r\n\r\n`,
  ),
  exchange(
    "an expectation",
    post(`Expect: 100-continue\r\nContent-Length: ${harmless.length}\r\n`, harmless),
  ),
  exchange("an unknown expectation", `GET /healthz HTTP/1.1\r\n${host}Expect: wonders\r\n\r\n`),
  exchange("headers too large", `GET / HTTP/1.1\r\n${host}X: ${"x".repeat(17_000)}\r\n\r\n`, {
    statuses: [431],
  }),
  exchange("headers too many", `GET /healthz HTTP/1.1\r\n${host}${"X: y\r\n".repeat(1_000)}\r\n`),
  exchange("a target too long", `GET /${"x".repeat(14_000)} HTTP/1.1\r\n${host}\r\n`, {
    statuses: [414],
  }),
  exchange("a target far too long", `GET /${"x".repeat(60_000)} HTTP/1.1\r\n${host}\r\n`, {
    statuses: [431],
  }),
  exchange("lone line feeds", `GET /healthz HTTP/1.1\nHost: localhost\n\n`),
  exchange("lone carriage returns", `GET /healthz HTTP/1.1\rHost: localhost\r\r`),
  exchange("a folded header", `GET /healthz HTTP/1.1\r\n${host}X: y\r\n z\r\n\r\n`),
  exchange("a header without a name", `GET /healthz HTTP/1.1\r\n${host}: y\r\n\r\n`),
  exchange("a zero byte in a header", `GET /healthz HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`),
  exchange("a zero byte in the target", `GET /he\0althz HTTP/1.1\r\n${host}\r\n`),
  exchange("a space in the target", `GET /he althz HTTP/1.1\r\n${host}\r\n`),
  exchange("broken UTF-8", `GET /\xc3\x28 HTTP/1.1\r\n${host}X: \xff\xfe\r\n\r\n`),
  exchange("a method that is none", `G@T / HTTP/1.1\r\n${host}\r\n`),
  exchange("a body behind a GET", `GET /healthz HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\nhello`),
  exchange("empty lines first", `\r\n\r\n\r\nGET /healthz HTTP/1.1\r\n${host}\r\n`),
);

/** A form without its required fields, in chunks. */
const chunkedForm = `POST /contact HTTP/1.1\r\n${host}Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\na\r\nemail=none\r\n0\r\n\r\n`;
const whole = fc.constantFrom(
  chunkedForm,
  ...answered.map(([request]) => request),
  post(`Content-Length: ${harmless.length}\r\n`, harmless),
);

/** A right request with a byte changed, put in or taken out somewhere. */
const mutated = fc
  .tuple(
    whole,
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.integer({ min: 0, max: 255 }),
        fc.constantFrom("change", "insert", "remove"),
      ),
      { minLength: 1, maxLength: 4 },
    ),
  )
  .map(([text, changes]): Exchange => {
    const bytes = [...Buffer.from(text, "latin1")];
    for (const [place, byte, how] of changes) {
      bytes.splice(
        place % bytes.length,
        how === "insert" ? 0 : 1,
        ...(how === "remove" ? [] : [byte]),
      );
    }
    return { ...exchange("mutated", "", { answersMax: 2 }), bytes: Buffer.from(bytes) };
  });

/** A right request that ends too soon: half-closed, or cut off. */
const cutShort = fc
  .tuple(whole, fc.nat(), fc.boolean())
  .map(([text, place, end]) => exchange("cut short", text.slice(0, place % text.length), { end }));

/** A whole request, half-closed behind it. */
const halfClosed = fc.constantFrom(...answered).map(([text]) => exchange("half-closed", text));

const noise = fc.uint8Array({ maxLength: 400 }).map(
  (bytes): Exchange => ({
    ...exchange("noise", "", { answersMax: 3 }),
    bytes: Buffer.from(bytes),
  }),
);

/** The HTTP parser and whatever stands behind it, on connections of their own. */
export const exchanges: fc.Arbitrary<Exchange> = fc.oneof(
  { weight: 2, arbitrary: pipelined },
  { weight: 2, arbitrary: smuggled },
  { weight: 1, arbitrary: tornChunks },
  { weight: 4, arbitrary: odd },
  { weight: 4, arbitrary: mutated },
  { weight: 2, arbitrary: cutShort },
  { weight: 1, arbitrary: halfClosed },
  { weight: 1, arbitrary: noise },
);
