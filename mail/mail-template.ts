/** Fills in what stands for each placeholder, in their order. */
export type MailTemplate = (values: readonly string[]) => Buffer;

/**
 * An address that stands in a header as it is, whatever its length; others are written in another way (RFC 2047, RFC
 * 3492).
 */
export function isPlainInHeader(address: string): boolean {
  return /^[!-~]+$/.test(address);
}

/** A line end that quoted-printable puts in for its own sake (RFC 2045, section 6.7, rule 5). */
const softBreak = "=\r\n";

type Piece = { text: string } | { placeholder: number; from: number; to: number | undefined };

/**
 * A mail that was composed once and goes to many: each gets it with other words in place of the placeholders. Both
 * are letters, digits and what quoted-printable leaves as it is; a placeholder may be broken by a line end of that
 * encoding.
 */
export function createMailTemplate(
  composed: Buffer,
  placeholders: readonly string[],
): MailTemplate {
  let pieces: Piece[] = [{ text: composed.toString("latin1") }];
  for (const [placeholder, word] of placeholders.entries()) {
    const cut = pieces.flatMap((piece) =>
      "text" in piece ? cutAt(piece.text, placeholder, word) : piece,
    );
    if (cut.length === pieces.length) throw new Error("A placeholder isn't in the mail.");
    pieces = cut;
  }
  return (values) => {
    let mail = "";
    for (const piece of pieces) {
      if ("text" in piece) mail += piece.text;
      else mail += (values[piece.placeholder] ?? "").slice(piece.from, piece.to);
    }
    return Buffer.from(mail, "latin1");
  };
}

function cutAt(text: string, placeholder: number, word: string): Piece[] {
  const anywhere = new RegExp(
    [...word].map((letter) => RegExp.escape(letter)).join(`(?:${softBreak})?`),
    "g",
  );
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(anywhere)) {
    pieces.push({ text: text.slice(end, index) });
    end = index + found.length;
    let from = 0;
    const lines = found.split(softBreak);
    for (const [number, line] of lines.entries()) {
      const isLast = number === lines.length - 1;
      pieces.push({ placeholder, from, to: isLast ? undefined : from + line.length });
      if (!isLast) pieces.push({ text: softBreak });
      from += line.length;
    }
  }
  pieces.push({ text: text.slice(end) });
  return pieces;
}
