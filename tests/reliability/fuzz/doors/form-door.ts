import fc from "fast-check";
import { headerBytes, hostileText, inTarget, mostly } from "../hostile-text.ts";
import type { WireRequest } from "../wire-request.ts";
import type { Door } from "./door.ts";
import { addressText, messageFields } from "./submissions.ts";

const boundary = "----boundary";

const fields = fc.oneof(
  { weight: 3, arbitrary: messageFields },
  { weight: 3, arbitrary: fc.record({ email: addressText }) },
  {
    weight: 1,
    arbitrary: fc.dictionary(
      mostly(fc.constantFrom("email", "firstName", "idempotencyKey")),
      hostileText,
      { maxKeys: 5 },
    ),
  },
);

type Form = { type: string; body: Buffer };

const urlEncoded = fields.map(
  (values): Form => ({
    type: "application/x-www-form-urlencoded",
    body: Buffer.from(
      new URLSearchParams(
        Object.entries(values).map(([name, text]) => [name, text.toWellFormed()]),
      ).toString(),
    ),
  }),
);
const tornEncoded = fc
  .array(fc.tuple(fc.constantFrom("email", "message", "firstName", ""), inTarget(hostileText)), {
    maxLength: 8,
  })
  .map(
    (pairs): Form => ({
      type: "application/x-www-form-urlencoded",
      body: Buffer.from(pairs.map((pair) => pair.join("=")).join("&"), "latin1"),
    }),
  );
const multipart = fc
  .tuple(
    fields,
    fc.constantFrom("", "", `; filename="../../x.html"`, `; filename*=UTF-8''%00`),
    fc.constantFrom(`--${boundary}--\r\n`, `--${boundary}--\r\n`, "", `--${boundary}`),
  )
  .map(
    ([values, file, ending]): Form => ({
      type: `multipart/form-data; boundary=${boundary}`,
      body: Buffer.from(
        Object.entries(values)
          .map(
            ([name, text]) =>
              `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${text}\r\n`,
          )
          .join("") + ending,
      ),
    }),
  );
const otherwise = fc
  .tuple(
    mostly(
      fc.constantFrom(
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "text/plain",
        "application/json",
        "",
      ),
    ),
    fc.uint8Array({ maxLength: 300 }),
  )
  .map(([type, bytes]): Form => ({ type: headerBytes(type), body: Buffer.from(bytes) }));
const huge = fc.integer({ min: 60_000, max: 300_000 }).map(
  (size): Form => ({
    type: "application/x-www-form-urlencoded",
    body: Buffer.from(`message=${"m".repeat(size)}`),
  }),
);

const form = fc.oneof(
  { weight: 6, arbitrary: urlEncoded },
  { weight: 2, arbitrary: tornEncoded },
  { weight: 3, arbitrary: multipart },
  { weight: 1, arbitrary: otherwise },
  { weight: 1, arbitrary: huge },
);
const target = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom("/contact", "/newsletter") },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "/contact.data",
      "/newsletter.data",
      "/",
      "/?index",
      "/search",
      "/about",
      "/newsletter/3",
      "/nothing-here",
      "/_root.data",
      "/sitemap.xml",
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom("confirm", "unsubscribe", "preferences"), inTarget(hostileText))
      .map(([page, token]) => `/newsletter/${page}?token=${token}`),
  },
);
const origin = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "null",
      "https://elsewhere.example",
      "http://localhost",
      "::",
      "http://localhost:99999",
    ),
  },
);

/** The pages' own forms as a browser without scripts posts them: encoded in each way, torn, from elsewhere, huge. */
export const formDoor: Door = {
  name: "forms",
  requests: fc
    .record({
      target,
      form,
      origin,
      framing: fc.constantFrom("length", "length", "chunked"),
      pieceBytes: fc.constantFrom(null, null, 777),
    })
    .map(
      (made): WireRequest => ({
        method: "POST",
        target: made.target,
        headers: [
          ["Content-Type", made.form.type],
          ...(made.origin === null ? [] : [["Origin", made.origin] as [string, string]]),
        ],
        body: made.form.body,
        framing: made.framing as WireRequest["framing"],
        pieceBytes: made.pieceBytes,
      }),
    ),
};
