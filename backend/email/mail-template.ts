/** Fills in what stands for each mark, in their order. */
export type MailTemplate = (values: readonly string[]) => Buffer;

/** A line end that quoted-printable puts in for its own sake (RFC 2045, section 6.7, rule 5). */
const softBreak = "=\r\n";

type Piece = { text: string } | { mark: number; from: number; to: number | undefined };

/**
 * A mail that was composed once and goes to many: each gets it with other words in place of the marks. Marks and words
 * are letters, digits and what quoted-printable leaves as it is; a mark may be broken by a line end of that encoding.
 */
export function createMailTemplate(composed: Buffer, marks: readonly string[]): MailTemplate {
  let pieces: Piece[] = [{ text: composed.toString("latin1") }];
  for (const [mark, word] of marks.entries()) {
    const cut = pieces.flatMap((piece) =>
      "text" in piece ? cutAt(piece.text, mark, word) : piece,
    );
    if (cut.length === pieces.length) throw new Error("A mark isn't in the mail.");
    pieces = cut;
  }
  return (values) => {
    let mail = "";
    for (const piece of pieces) {
      mail += "text" in piece ? piece.text : (values[piece.mark] ?? "").slice(piece.from, piece.to);
    }
    return Buffer.from(mail, "latin1");
  };
}

function cutAt(text: string, mark: number, word: string): Piece[] {
  const anywhere = new RegExp([...word].map(literal).join(`(?:${softBreak})?`), "g");
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(anywhere)) {
    pieces.push({ text: text.slice(end, index) });
    end = index + found.length;
    let from = 0;
    const lines = found.split(softBreak);
    for (const [number, line] of lines.entries()) {
      const isLast = number === lines.length - 1;
      pieces.push({ mark, from, to: isLast ? undefined : from + line.length });
      if (!isLast) pieces.push({ text: softBreak });
      from += line.length;
    }
  }
  pieces.push({ text: text.slice(end) });
  return pieces;
}

function literal(character: string): string {
  return character.replace(/[.*+?^${}()|[\]\\-]/, "\\$&");
}
