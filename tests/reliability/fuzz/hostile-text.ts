import fc from "fast-check";
import { markupMarker } from "./check-answer.ts";

/** Texts that have broken other programs: markup, SQL, headers, paths, templates, numbers, prototypes, Unicode. */
const known = [
  markupMarker,
  `"${markupMarker}`,
  `</script>${markupMarker}`,
  `</title>${markupMarker}`,
  `<img src=x onerror=alert(1)>${markupMarker}`,
  "' OR '1'='1",
  "1; drop table subscribers; --",
  `"; delete from final_newsletters; --`,
  "x\r\nSet-Cookie: a=b",
  "x\nBcc: everyone@example.com",
  "\r\n.\r\nMAIL FROM:<a@example.com>",
  "../../../../etc/passwd",
  "..\\..\\windows\\win.ini",
  "file:/etc/passwd",
  "$" + "{7*7}",
  "{{7*7}}",
  "%s%s%n",
  "__proto__",
  "constructor",
  "toString",
  "\u0000",
  "a\u0000b",
  "\ufeff",
  "\ufffd",
  "\u202eevil",
  "line\u2028separator",
  "\ud800",
  "\udfff\ud800",
  "👩‍👩‍👧‍👦",
  "e\u0301".repeat(20),
  "İıſK",
  "NaN",
  "Infinity",
  "-0",
  "1e999",
  "0x1f",
  "007",
  "9007199254740993",
  "9223372036854775807",
  "9223372036854775808",
  "-9223372036854775809",
  "１２",
  "null",
  "true",
  "[]",
  "{}",
  "()",
  "*",
  ",",
  "\\",
  "'",
  '"',
  " ",
  "",
];

const repeated = fc
  .tuple(
    fc.constantFrom("a", "é", "(", "%", "\u0301", '"', "<", " ", "𝒳"),
    fc.integer({ min: 50, max: 3_000 }),
  )
  .map(([text, times]) => text.repeat(times));

/** Text as an attacker would write it: mostly short and telling, sometimes any Unicode at all, sometimes long. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...known) },
  { weight: 3, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom(...known), fc.constantFrom(...known))
      .map((two) => two.join("")),
  },
  { weight: 1, arbitrary: repeated },
);

/** Something that is usually right, and otherwise hostile. */
export function mostly(right: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc.oneof({ weight: 3, arbitrary: right }, { weight: 1, arbitrary: hostileText });
}

// Broken or doubtful percent-encoding and UTF-8, as bytes of a target.
const tornEncodings = [
  "%",
  "%a",
  "%zz",
  "%c0%af",
  "%ed%a0%80",
  "%f8%88%80%80%80",
  "%ff",
  "%00",
  "%0d%0a",
  "%25%30%30",
  "%2e%2e%2f",
  "%u0041",
];

/** Text in a target: encoded as it should be, in part, twice, byte by byte, or with a torn end. Never ends the line. */
export function inTarget(text: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(
      text,
      fc.constantFrom("right", "right", "right", "bytes", "twice", "plus", "raw", "torn"),
      fc.constantFrom(...tornEncodings),
    )
    .map(([value, how, torn]) => {
      const right = encodeURIComponent(value.toWellFormed());
      if (how === "bytes") return everyByte(value);
      if (how === "twice") return encodeURIComponent(right);
      if (how === "plus") return right.replaceAll("%20", "+");
      if (how === "raw") return targetBytes(Buffer.from(value).toString("latin1"));
      return how === "torn" ? right + torn : right;
    });
}

function everyByte(text: string): string {
  return [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}

/** Without what the HTTP parser refuses before anybody reads it; the door of the protocol sends that. */
function targetBytes(text: string): string {
  return text.replace(/[^\u0021-\u007e]/g, "");
}

/** Text as the bytes of a header value, without what the HTTP parser refuses before anybody reads it. */
export function headerBytes(text: string): string {
  const bytes = Buffer.from(text).toString("latin1");
  return bytes
    .replace(/[\u0000-\u0008\u000a-\u001f\u007f]/g, "")
    .trim()
    .slice(0, 6_000);
}
