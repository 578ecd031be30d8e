import fc from "fast-check";

/** A mailbox that many spellings lead to; the number keeps those of one sequence apart from all others. */
export type Mailbox = { key: string; spellings: string[] };

export function mailboxesOf(sequence: number): Mailbox[] {
  return [gmail(`ann.${sequence}`), elsewhere(`bo${sequence}`)];
}

function gmail(local: string): Mailbox {
  const bare = local.replaceAll(".", "");
  return {
    key: `${bare}@gmail.com`,
    spellings: [
      `${local}@gmail.com`,
      `${local.toUpperCase()}@Gmail.com`,
      `${bare}@googlemail.com`,
      `${local}+news@gmail.com`,
      `${fullWidth(bare)}@gmail.com`,
      `${bare}@gmail.com.`,
    ],
  };
}

function elsewhere(local: string): Mailbox {
  return {
    key: `${local}@xn--bcher-kva.example`,
    spellings: [
      `${local}@bücher.example`,
      `${local}@BÜCHER.example`,
      `${local}+1@xn--bcher-kva.example`,
      `${local}+2@xn--bcher-kva.example`,
      `${local}@bü\u00adcher.example`,
      `${local.slice(0, 1)}\u200b${local.slice(1)}@bücher.example`,
    ],
  };
}

function fullWidth(text: string): string {
  return text.replace(/[!-~]/g, (sign) => String.fromCodePoint(sign.charCodeAt(0) + 0xfee0));
}

/** Which mailbox, and which of its spellings. */
export const addressArbitraries = { mailbox: fc.nat(1), spelling: fc.nat(5) };
