import { schema as commonMark } from "prosemirror-markdown";
import { type Node, type NodeSpec, Schema } from "prosemirror-model";
import { tableNodes } from "prosemirror-tables";

const { nodes, marks } = commonMark.spec;

/** Markdown reads two lists beside each other as one, unless their signs differ. */
function isSecond(list: Element): boolean {
  const before = list.previousElementSibling;
  return before?.tagName === list.tagName && !isSecond(before);
}

/** A list without a paragraph in an item is tight, whether a browser or a clipboard wrote it. */
function list(name: "bullet_list" | "ordered_list"): NodeSpec {
  const tag = name === "bullet_list" ? "ul" : "ol";
  return {
    ...nodes.get(name),
    attrs: {
      tight: { default: true },
      sign: { default: tag === "ol" ? "." : "-" },
      ...(tag === "ol" && { order: { default: 1 } }),
    },
    parseDOM: [
      {
        tag,
        getAttrs: (dom) => ({
          ...(tag === "ol" && { order: (dom as HTMLOListElement).start ?? 1 }),
          ...(isSecond(dom) && { sign: tag === "ol" ? ")" : "*" }),
          tight: dom.hasAttribute("data-tight") || !dom.querySelector(":scope > li > p"),
        }),
      },
    ],
  };
}

export const letterSchema = new Schema({
  nodes: nodes
    .update("bullet_list", list("bullet_list"))
    .update("ordered_list", list("ordered_list"))
    .update("image", {
      ...nodes.get("image"),
      attrs: {
        src: {},
        alt: { default: "" },
        title: { default: null },
        // Outlook shows a picture as wide as it says, or as its file is.
        width: { default: null },
      },
      parseDOM: [
        {
          tag: "img[src]",
          getAttrs: (img) => ({
            src: img.getAttribute("src"),
            alt: img.getAttribute("alt") ?? "",
            title: img.getAttribute("title"),
            width: img.getAttribute("width"),
          }),
        },
      ],
      toDOM: ({ attrs: { src, alt, width, title } }) => ["img", { src, alt, width, title }],
    })
    .append(
      tableNodes({
        tableGroup: "block",
        cellContent: "paragraph",
        cellAttributes: {
          align: {
            default: null,
            getFromDOM: (cell) => cell.style.textAlign || null,
            setDOMAttr(align, attributes) {
              if (align) attributes.style = `text-align:${align}`;
            },
          },
        },
      }),
    ),
  marks: marks.addToEnd("strike", {
    parseDOM: [{ tag: "s" }, { tag: "del" }, { tag: "strike" }],
    toDOM: () => ["s", 0],
  }),
});

/** A block of a text: its source, and what stands between it and the next. */
export type Piece = { node: Node; source: string; gap: string };

/** A text in pieces, after `lead`; or why a letter can't show it. */
export type Pieces = { ok: true; lead: string; pieces: Piece[] } | { ok: false; why: string };

export const unfaithful = "it would not be written back as it was";
