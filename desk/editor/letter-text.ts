import {
  defaultMarkdownParser,
  defaultMarkdownSerializer,
  MarkdownParser,
  MarkdownSerializer,
  type MarkdownSerializerState,
  type ParseSpec,
} from "prosemirror-markdown";
import type { Node } from "prosemirror-model";
import { createMarkdown } from "#issue-body/create-markdown.ts";
import { htmlPieces, writeHtml } from "./letter-html.ts";
import { letterSchema, type Piece, type Pieces, unfaithful } from "./letter-schema.ts";

/** A text as a letter. `write` leaves each block that nobody changed as it was written, byte for byte. */
export type Letter = { doc: Node; write: (doc: Node) => string };

/** `why` ends the sentence "Shown as source, because …". */
type ReadLetter = { ok: true; letter: Letter } | { ok: false; why: string };

export function readLetter(text: string, format: "markdown" | "html"): ReadLetter {
  const read = format === "html" ? htmlPieces(text) : markdownPieces(text);
  if (!read.ok) return read;
  const writer = format === "html" ? writeHtml : writeMarkdown;
  return { ok: true, letter: createLetter(read, writer, format === "html" ? "\n" : "\n\n") };
}

function createLetter(
  { lead, pieces }: Extract<Pieces, { ok: true }>,
  writeBlock: (node: Node) => string,
  joint: string,
): Letter {
  const blocks = pieces.map(({ node }) => node);
  const places = new Map(blocks.map((node, place) => [node, place]));
  const placeOf = (node: Node) => places.get(node) ?? blocks.findIndex((block) => block.eq(node));
  const notes = [lead, ...pieces.map(({ gap }) => gap)].filter((text) => text.trim() !== "");
  return {
    doc: letterSchema.node("doc", null, blocks.length > 0 ? blocks : emptyParagraph()),
    write(doc) {
      let text = "";
      let before: number | null = null;
      doc.forEach((node) => {
        if (isEmptyParagraph(node)) return;
        const place = placeOf(node);
        if (before === null) text = lead;
        else text += before >= 0 && place === before + 1 ? pieces[before]?.gap : joint;
        text += pieces[place]?.source ?? writeBlock(node);
        before = place;
      });
      if (before !== null) text += pieces.at(-1)?.gap ?? "\n";
      for (const note of notes) if (!text.includes(note.trim())) text += joint + note.trim();
      return text;
    },
  };
}

function emptyParagraph(): Node {
  return letterSchema.node("paragraph");
}

function isEmptyParagraph({ type, childCount }: Node): boolean {
  return type.name === "paragraph" && childCount === 0;
}

type Token = ReturnType<ReturnType<typeof createMarkdown>["parse"]>[number];

const markdown = createMarkdown();
markdown.core.ruler.push("letter", ({ tokens, Token }) => {
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) continue;
    const picture = token.type === "html_block" ? pictureOf(token) : null;
    const cell = token.type === "th_open" || token.type === "td_open";
    if (!picture && !cell) {
      token.children = token.children?.map((child) => pictureOf(child) ?? breakOf(child)) ?? null;
      continue;
    }
    const [open, inline, close] = [
      new Token("paragraph_open", "p", 1),
      picture ? new Token("inline", "", 0) : tokens[at + 1],
      new Token("paragraph_close", "p", -1),
    ];
    if (!inline) continue;
    open.map = token.map;
    open.level = inline.level = close.level = token.level;
    if (picture) inline.children = [picture];
    if (picture) tokens.splice(at, 1, open, inline, close);
    else tokens.splice(at + 1, 1, open, inline, close);
    at += picture ? 2 : 1;
  }
});

function pictureOf(token: Token): Token | null {
  if (!token.type.startsWith("html")) return null;
  const [, written] = /^\s*<img((?:\s+(?:src|alt|width|title)="[^"]*")+)\s*\/?>\s*$/.exec(
    token.content,
  ) ?? [""];
  if (!written) return null;
  const picture = Object.assign(Object.create(Object.getPrototypeOf(token)), token) as Token;
  const attributes = [...written.matchAll(/(\w+)="([^"]*)"/g)].map(
    ([, name = "", value = ""]): [string, string] => [name, fromHtml(value)],
  );
  return Object.assign(picture, {
    type: "image",
    attrs: attributes,
    content: attributes.find(([name]) => name === "alt")?.[1] ?? "",
  });
}

function breakOf(token: Token): Token {
  const isBreak = token.type === "html_inline" && /^<br\s*\/?>$/.test(token.content);
  return isBreak ? Object.assign(token, { type: "hardbreak" }) : token;
}

const entities = { "&quot;": '"', "&lt;": "<", "&gt;": ">", "&amp;": "&" };

function fromHtml(value: string): string {
  return value.replace(/&(?:quot|lt|gt|amp);/g, (name) => entities[name as keyof typeof entities]);
}

const alignOf = (token: Token) => ({
  align: /text-align:(\w+)/.exec(String(token.attrGet("style")))?.[1] ?? null,
});

function withSign(name: "bullet_list" | "ordered_list"): ParseSpec {
  const list = defaultMarkdownParser.tokens[name];
  return {
    block: name,
    getAttrs: (token, tokens, at) => ({
      ...list?.getAttrs?.(token, tokens, at),
      sign: token.markup,
    }),
  };
}

function parserOf(tokens: Token[]): MarkdownParser {
  return new MarkdownParser(letterSchema, { parse: () => tokens } as never, {
    ...defaultMarkdownParser.tokens,
    image: {
      node: "image",
      getAttrs: (token) => ({
        src: token.attrGet("src"),
        alt: token.content,
        title: token.attrGet("title") || null,
        width: token.attrGet("width"),
      }),
    },
    bullet_list: withSign("bullet_list"),
    ordered_list: withSign("ordered_list"),
    s: { mark: "strike" },
    table: { block: "table" },
    thead: { ignore: true },
    tbody: { ignore: true },
    tr: { block: "table_row" },
    th: { block: "table_header", getAttrs: alignOf },
    td: { block: "table_cell", getAttrs: alignOf },
  });
}

const known = parserOf([]).tokens;

function hindranceIn(text: string, tokens: Token[]): string | null {
  if (/^\s*(?:---|\+\+\+)[ \t]*\n[\w-]+\s*[:=]/.test(text)) {
    return "it begins with a block of settings";
  }
  for (const { type, children } of tokens) {
    if (type.startsWith("footnote")) return "it has footnotes";
    if (type.startsWith("html")) return "it holds HTML";
    const isKnown = /^(?:text|text_special|inline|softbreak)$/.test(type);
    if (!isKnown && !(type.replace(/_(?:open|close)$/, "") in known)) return `it holds ${type}`;
    const inner = children && type === "inline" ? hindranceIn("", children) : null;
    if (inner) return inner;
  }
  return null;
}

function markdownPieces(text: string): Pieces {
  const tokens = markdown.parse(text, {});
  const why = hindranceIn(text, tokens);
  if (why !== null) return { ok: false, why };
  const blocks = tokens.filter(({ level, nesting }) => level === 0 && nesting >= 0);
  const starts = blocks.filter(({ type }) => type !== "inline").map(({ map }) => map?.[0] ?? 0);
  const nodes = parserOf(tokens).parse("").children;
  const isWhole = nodes.length === starts.length || (starts.length === 0 && text.trim() === "");
  if (!isWhole || !nodes.every(isFaithful)) return { ok: false, why: unfaithful };
  const lines = text.split(/(?<=\n)/);
  const pieces = starts.map((start, index): Piece => {
    const written = lines.slice(start, starts[index + 1]).join("");
    const end = blocks.find(({ map }) => map?.[0] === start)?.map?.[1];
    const source = lines.slice(start, end).join("").trimEnd();
    return { node: nodes[index] as Node, source, gap: written.slice(source.length) };
  });
  return { ok: true, lead: lines.slice(0, starts[0] ?? 0).join(""), pieces };
}

function isFaithful(node: Node): boolean {
  const [again, ...more] = parserOf(markdown.parse(writeMarkdown(node), {})).parse("").children;
  return more.length === 0 && again !== undefined && again.eq(node);
}

const serializer = new MarkdownSerializer(
  {
    ...defaultMarkdownSerializer.nodes,
    bullet_list: (state, node) => state.renderList(node, "  ", () => `${node.attrs.sign} `),
    ordered_list(state, node) {
      const { order, sign } = node.attrs;
      const { length } = String(order + node.childCount - 1);
      const number = (at: number) => `${String(order + at).padStart(length)}${sign} `;
      state.renderList(node, " ".repeat(length + 2), number);
    },
    image(state, node, ...place) {
      const { src, alt, title, width } = node.attrs;
      // Only HTML can say how wide a picture is.
      if (width === null) return defaultMarkdownSerializer.nodes.image?.(state, node, ...place);
      const named = title === null ? "" : ` title="${toHtml(title)}"`;
      state.write(`<img src="${toHtml(src)}" alt="${toHtml(alt)}" width="${width}"${named}>`);
    },
    table: writeTable,
  },
  {
    ...defaultMarkdownSerializer.marks,
    strike: { open: "~~", close: "~~", mixable: true, expelEnclosingWhitespace: true },
  },
  { escapeExtraCharacters: /<|&(?=#?\w+;)/g },
);

function toHtml(value: string): string {
  return value.replace(/[&"<>]/g, (sign) => `&${signs[sign as keyof typeof signs]};`);
}

const signs = { "&": "amp", '"': "quot", "<": "lt", ">": "gt" };

function writeMarkdown(node: Node): string {
  return serializer.serialize(letterSchema.node("doc", null, node)).trimEnd();
}

function writeTable(state: MarkdownSerializerState, table: Node): void {
  table.forEach((row, _, index) => {
    const cells = row.children.map((cell) =>
      serializer.serialize(cell).trim().replace(/\\?\n/g, "<br>").replaceAll("|", "\\|"),
    );
    state.ensureNewLine();
    state.write(`| ${cells.join(" | ")} |`);
    if (index > 0) return;
    const rule = { left: ":--", center: ":-:", right: "--:" };
    const rules = row.children.map(({ attrs }) => rule[attrs.align as keyof typeof rule] ?? "---");
    state.ensureNewLine();
    state.write(`| ${rules.join(" | ")} |`);
  });
  state.closeBlock(table);
}
