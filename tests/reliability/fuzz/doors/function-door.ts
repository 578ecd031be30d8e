import fc from "fast-check";
import { formEvidenceHeader } from "#contracts/form-evidence.ts";
import { headerBytes, hostileText, inTarget, mostly } from "../hostile-text.ts";
import type { WireRequest } from "../wire-request.ts";
import type { Door } from "./door.ts";
import { addressText, messageFields } from "./submissions.ts";

const wrongType = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, 0, true, [], {}, ["a"], { $ne: null }),
);

/** An object that is right, but for a field or two at times. */
function bent(right: fc.Arbitrary<Record<string, string>>): fc.Arbitrary<Record<string, unknown>> {
  const name = fc.constantFrom(
    "firstName",
    "email",
    "message",
    "subject",
    "webhookUrl",
    "token",
    "__proto__",
    "to",
    "bcc",
    "id",
  );
  const changes = fc.dictionary(name, fc.oneof(hostileText, wrongType), { maxKeys: 2 });
  return fc
    .tuple(
      right,
      fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: changes }),
    )
    .map(([fields, other]) => ({ ...fields, ...other }));
}

const signUp = fc.record(
  {
    email: addressText,
    webhookUrl: mostly(
      fc.constantFrom("", "http://127.0.0.1:9/steered", "https://hooks.example/x"),
    ),
  },
  { requiredKeys: ["email"] },
);
const token = fc.record({ token: mostly(fc.base64String({ minLength: 20, maxLength: 50 })) });

const json = fc.oneof(
  { weight: 6, arbitrary: bent(messageFields).map((value) => JSON.stringify(value)) },
  { weight: 6, arbitrary: bent(signUp).map((value) => JSON.stringify(value)) },
  { weight: 3, arbitrary: bent(token).map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: wrongType.map((value) => JSON.stringify(value)) },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 10, max: 20_000 })
      .map((depth) => `${"[".repeat(depth)}${"]".repeat(depth)}`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "",
      "{",
      "{}",
      '{"email":"a@b.example"',
      '{"email":1e999}',
      '{"email":"a@b.example","email":2}',
      "\ufeff{}",
      "NaN",
      '{"email":"\\ud800@b.example"}',
    ),
  },
);

/** Bytes as they are; damaged; or far too many. */
const body = fc.oneof(
  { weight: 12, arbitrary: json.map((text) => Buffer.from(text)) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(json, fc.nat(), fc.integer({ min: 0, max: 255 }))
      .map(([text, at, byte]) => damaged(Buffer.from(text), at, byte)),
  },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 1,
    arbitrary: fc
      .integer({ min: 60_000, max: 400_000 })
      .map((size) => Buffer.from(JSON.stringify({ message: "m".repeat(size) }))),
  },
);

function damaged(bytes: Buffer, at: number, byte: number): Buffer {
  if (bytes.length > 0) bytes[at % bytes.length] = byte;
  return bytes;
}

const name = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom("send-contact-email", "newsletter-signup") },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "newsletter-confirm",
      "newsletter-unsubscribe",
      "newsletter-change-address",
      "newsletter-confirm-address",
      "newsletter-signup/",
      "NEWSLETTER-SIGNUP",
      "",
    ),
  },
  { weight: 1, arbitrary: inTarget(hostileText) },
);
const contentType = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      "application/json",
      "application/json; charset=utf-8",
      "Application/JSON",
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/json, text/html",
      "",
      "multipart/form-data",
    ),
  },
);
const headers = fc.array(
  fc.oneof(
    fc.tuple(
      fc.constantFrom(
        "Idempotency-Key",
        formEvidenceHeader,
        "Referer",
        "Origin",
        "X-Forwarded-For",
        "Content-Encoding",
        "X-Request-Id",
      ),
      hostileText,
    ),
    fc.tuple(fc.constant("Idempotency-Key"), fc.constantFrom("k1", "k2", "k3")),
    fc.tuple(
      fc.constant(formEvidenceHeader),
      fc.constantFrom("honeypot", "open-for-ms=5", "open-for-ms=9000"),
    ),
  ),
  { maxLength: 3 },
);

/** `/functions/v1`: bodies of the contact form, the sign-up and the links in mail, bent, damaged, torn and huge. */
export const functionDoor: Door = {
  name: "functions",
  requests: fc
    .record({
      method: fc.oneof(
        { weight: 12, arbitrary: fc.constant("POST") },
        { weight: 1, arbitrary: fc.constantFrom("GET", "PUT", "OPTIONS", "HEAD") },
      ),
      name,
      contentType,
      headers,
      body,
      framing: fc.constantFrom("length", "length", "chunked"),
      pieceBytes: fc.oneof(
        { weight: 4, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.integer({ min: 100, max: 9_000 }) },
      ),
    })
    .map(
      (made): WireRequest => ({
        method: made.method,
        target: `/functions/v1/${made.name}`,
        headers: [
          ["Content-Type", made.contentType],
          ...made.headers.map(([header, text]): [string, string] => [header, headerBytes(text)]),
        ],
        body: made.method === "POST" || made.method === "PUT" ? made.body : null,
        framing: made.framing as WireRequest["framing"],
        pieceBytes: made.pieceBytes,
      }),
    ),
};
