import fc from "fast-check";
import { expect, test } from "vitest";
import { findMailbox, mailboxKey } from "./mailbox-key.ts";

test.each([
  "Pat.Lee@Gmail.com",
  "patlee@googlemail.com",
  "p.a.t.l.e.e+news@gmail.com",
  "patlee＋news@gmail.com",
  "ｐａｔｌｅｅ@gmail.com",
  "pat\u200blee@gm\u00adail.com",
  "patlee@ｇｍａｉｌ．com",
  "patlee@gmail.com.",
])("%s is a spelling of one mailbox", (spelling) => {
  expect(findMailbox(spelling)).toBe("patlee@gmail.com");
});

test("a domain is the same in letters and as mail servers look it up", () => {
  expect(findMailbox("pat@BÜCHER.example")).toBe("pat@xn--bcher-kva.example");
  expect(findMailbox("pat@xn--bcher-kva.example")).toBe("pat@xn--bcher-kva.example");
});

test.each([
  "pat",
  "@example.com",
  "\u200b@example.com",
  "pat@localhost",
  "pat@exa%6dple.com",
  "pat@example.com/x",
  "pat@example.com..",
  "pat＠other.example@example.com",
])("%s leads to no mailbox", (address) => {
  expect(findMailbox(address)).toBeNull();
});

test("a mailbox is its own spelling, so that no chain of spellings makes two of one", () => {
  const local = fc.string({ unit: "binary", minLength: 1, maxLength: 12 });
  const domain = fc.constantFrom("gmail.com", "Example.com", "faß.de", "ｂücher.example");
  fc.assert(
    fc.property(local, domain, (name, at) => {
      const address = `${name}@${at}`;
      expect(mailboxKey(mailboxKey(address))).toBe(mailboxKey(address));
    }),
    { seed: 20_261_130, numRuns: 300, examples: [["a.\u0301", "gmail.com"]] },
  );
});
