/**
 * A mail read by the grammars of its RFCs and by nothing else: what composes, signs and verifies our mails is by one
 * maker, and would agree with itself. It is strict where mail programs are not, and knows no obsolete forms.
 */
export type ParsedMessage = {
  /** What breaks a rule, with the rule. */
  faults: string[];
  /** Fields by their names in small letters, unfolded, as they stand. */
  fields: Map<string, string>;
  /** As it's read (RFC 2047). */
  subject: string;
  /** Decoded, with line feeds alone. */
  text: string;
  html: string;
};

type Entity = { fields: [name: string, value: string][]; body: string };

/** RFC 5322, section 2.1.1; RFC 2045, section 6.7; RFC 2047, section 2. Characters, without the line's end. */
const lineMax = 998;
const lineWanted = 78;
const encodedLineMax = 76;
const encodedWordMax = 75;

const once = [
  "date",
  "from",
  "to",
  "subject",
  "message-id",
  "mime-version",
  "content-type",
  "list-id",
  "list-unsubscribe",
  "list-unsubscribe-post",
];

// RFC 5322, section 3.2.3 and 3.2.4.
const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const dotAtom = `${atom}(?:\\.${atom})*`;
const word = `(?:${atom}|"(?:[^"\\\\]|\\\\[ -~])*")`;
const phrase = `${word}(?:[ \\t]+${word})*`;
const angled = `<${dotAtom}@${dotAtom}>`;

const grammars: Record<string, RegExp> = {
  from: new RegExp(`^(?:(?:${phrase}[ \\t]+)?${angled}|${dotAtom}@${dotAtom})$`),
  to: new RegExp(`^(?:(?:${phrase}[ \\t]+)?${angled}|${dotAtom}@${dotAtom})$`),
  "message-id": new RegExp(`^${angled}$`),
  // Section 3.3.
  date: /^(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), )?\d{1,2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d\d:\d\d:\d\d [+-]\d{4}$/,
  "mime-version": /^1\.0$/,
  // RFC 2919, section 3; RFC 2369, section 2; RFC 8058, section 3.1.
  "list-id": new RegExp(`^(?:${phrase}[ \\t]+)?<${dotAtom}\\.${dotAtom}>$`),
  "list-unsubscribe": /^<(?:https|mailto):[!-;=?-~]+>(?:,[ \t]*<(?:https|mailto):[!-;=?-~]+>)*$/,
  "list-unsubscribe-post": /^List-Unsubscribe=One-Click$/,
};

export function parseMessage(source: string): ParsedMessage {
  const faults: string[] = [];
  if (/(?<!\r)\n|\r(?!\n)/.test(source)) faults.push("A line that doesn't end with CRLF.");
  if (/[^\t\r\n -~]/.test(source)) faults.push("A character that 7 bits have not, or a control.");
  for (const line of source.split("\r\n")) {
    if (line.length > lineMax) faults.push(`A line of ${line.length}: ${line.slice(0, 60)}`);
  }
  const message = readEntity(source, faults);
  const fields = new Map(message.fields);
  for (const name of once) {
    const count = message.fields.filter(([one]) => one === name).length;
    if (count !== 1) faults.push(`${name} ${count} times.`);
  }
  for (const [name, grammar] of Object.entries(grammars)) {
    const value = fields.get(name) ?? "";
    if (!grammar.test(value)) faults.push(`${name}: ${value}`);
  }
  const date = fields.get("date") ?? "";
  if (!new Date(date).toUTCString().startsWith(date.slice(0, 3))) {
    faults.push(`Not that day of the week: ${date}`);
  }
  const [plain, markup, ...others] = readAlternatives(message, faults);
  if (others.length > 0) faults.push("More than two parts.");
  return {
    faults,
    fields,
    subject: readWords(fields.get("subject") ?? "", faults),
    text: readText(plain, "text/plain", faults),
    html: readText(markup, "text/html", faults),
  };
}

function readEntity(source: string, faults: string[]): Entity {
  const end = source.indexOf("\r\n\r\n");
  const lines = source.slice(0, end).split("\r\n");
  const fields: [string, string][] = [];
  for (const line of lines) {
    if (/^[ \t]*$/.test(line)) faults.push("A line of a header that is blank.");
    // What has no white space inside can't be folded.
    if (line.length > lineWanted && /^.*[^ \t:,;][ \t]+\S/.test(line)) {
      faults.push(`A header's line of ${line.length} that could be folded: ${line}`);
    }
    if (/=\?.*\?=/.test(line) && line.length > encodedLineMax) {
      faults.push(`A line of ${line.length} with encoded words: ${line}`);
    }
    const [, name, value = ""] = /^([!-9;-~]+):[ \t]*(.*)$/.exec(line) ?? [];
    const last = fields.at(-1);
    if (/^[ \t]/.test(line) && last) last[1] = `${last[1]}${line}`.trim();
    else if (name !== undefined) fields.push([name.toLowerCase(), value]);
    else faults.push(`Not a field: ${line}`);
  }
  return { fields, body: source.slice(end + 4) };
}

/** The parts of a `multipart/alternative` (RFC 2046, section 5.1). */
function readAlternatives({ fields, body }: Entity, faults: string[]): Entity[] {
  const type = new Map(fields).get("content-type") ?? "";
  const [, boundary = ""] =
    /^multipart\/alternative;[ \t]*boundary="([0-9A-Za-z'()+_,./:=? -]{0,69}[0-9A-Za-z'()+_,./:=?-])"$/.exec(
      type,
    ) ?? [];
  if (boundary === "") {
    faults.push(`Not two ways to show the same: ${type}`);
    return [];
  }
  const [, ...parts] = `\r\n${body}`.split(`\r\n--${boundary}`);
  if (parts.pop() !== "--\r\n") faults.push("The last boundary isn't the end.");
  return parts.map((part) => readEntity(part.replace(/^[ \t]*\r\n/, ""), faults));
}

function readText(part: Entity | undefined, type: string, faults: string[]): string {
  const fields = new Map(part?.fields);
  if (fields.get("content-type") !== `${type}; charset=utf-8`) {
    faults.push(`In place of ${type}: ${fields.get("content-type")}`);
  }
  const encoding = fields.get("content-transfer-encoding") ?? "7bit";
  const body = part?.body ?? "";
  const bytes = readBytes(body, encoding, faults);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replaceAll("\r\n", "\n");
  } catch {
    faults.push(`${type} isn't UTF-8.`);
    return "";
  }
}

function readBytes(body: string, encoding: string, faults: string[]): Buffer {
  if (encoding === "7bit") return Buffer.from(body, "latin1");
  const tooLong = body.split("\r\n").find((line) => line.length > encodedLineMax);
  if (tooLong !== undefined) faults.push(`A line of ${tooLong.length} in ${encoding}.`);
  if (encoding === "base64") {
    if (!/^(?:[A-Za-z0-9+/]|\r\n)*={0,2}(?:\r\n)*$/.test(body)) faults.push("Not base64.");
    return Buffer.from(body, "base64");
  }
  if (encoding !== "quoted-printable") faults.push(`Encoded as ${encoding}.`);
  if (/[ \t]\r\n/.test(body)) faults.push("White space before a line's end.");
  const decoded = body.replace(/=\r\n/g, "");
  if (/=(?![0-9A-F]{2})/.test(decoded)) faults.push("An = that encodes nothing.");
  const text = decoded.replace(/=([0-9A-F]{2})/g, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return Buffer.from(text, "latin1");
}

/** Unstructured text with its encoded words decoded; white space between two of them is not shown. */
function readWords(value: string, faults: string[]): string {
  const encoded = /=\?([^?\s]+)\?([^?\s]+)\?([^?\s]*)\?=/g;
  return value
    .replace(/(\?=)[ \t]+(?==\?)/g, "$1")
    .replace(encoded, (whole, charset: string, kind: string, text: string) => {
      if (whole.length > encodedWordMax) faults.push(`An encoded word of ${whole.length}.`);
      if (charset.toLowerCase() !== "utf-8") faults.push(`Words in ${charset}.`);
      const bytes =
        kind.toUpperCase() === "B"
          ? Buffer.from(text, "base64")
          : readBytes(text.replaceAll("_", " "), "quoted-printable", faults);
      try {
        return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
      } catch {
        faults.push(`A character is cut in two: ${whole}`);
        return "";
      }
    });
}
