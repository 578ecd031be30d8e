import {
  baseKeymap,
  chainCommands,
  lift,
  setBlockType,
  toggleMark,
  wrapIn,
} from "prosemirror-commands";
import { redo, undo } from "prosemirror-history";
import {
  InputRule,
  inputRules,
  textblockTypeInputRule,
  wrappingInputRule,
} from "prosemirror-inputrules";
import type { MarkType, Node, NodeType } from "prosemirror-model";
import { liftListItem, sinkListItem, splitListItem, wrapInList } from "prosemirror-schema-list";
import { type Command, type EditorState, TextSelection, type Transaction } from "prosemirror-state";
import {
  addColumnAfter,
  addRowAfter,
  deleteColumn,
  deleteRow,
  deleteTable,
  goToNextCell,
  isInTable,
} from "prosemirror-tables";
import { letterSchema } from "./letter-schema.ts";

const { nodes, marks } = letterSchema;
export const node = (name: keyof typeof nodes) => nodes[name] as NodeType;
export const mark = (name: keyof typeof marks) => marks[name] as MarkType;

export type Shown = { pressed: Tool[]; isInTable: boolean; link: string | null; words: number };

export type Tool = keyof typeof tools;

export const tools = {
  strong: toggleMark(mark("strong")),
  em: toggleMark(mark("em")),
  heading: toggleHeading(2),
  subheading: toggleHeading(3),
  bullets: toggleList("bullet_list"),
  numbers: toggleList("ordered_list"),
  quote: (state, dispatch) =>
    (depthOf(state, "blockquote") === null ? wrapIn(node("blockquote")) : lift)(state, dispatch),
  table: insertTable,
  "row below": addRowAfter,
  "column after": addColumnAfter,
  "without row": deleteRow,
  "without column": deleteColumn,
  "without table": deleteTable,
} satisfies Record<string, Command>;

function toggleHeading(level: number): Command {
  return (state, dispatch) => {
    const { parent } = state.selection.$from;
    const isOn = parent.type === nodes.heading && parent.attrs.level === level;
    return (isOn ? setBlockType(node("paragraph")) : setBlockType(node("heading"), { level }))(
      state,
      dispatch,
    );
  };
}

function depthOf({ selection: { $from } }: EditorState, name: string): number | null {
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    if ($from.node(depth).type.name === name) return depth;
  }
  return null;
}

function toggleList(name: "bullet_list" | "ordered_list"): Command {
  return (state, dispatch) => {
    const other = name === "bullet_list" ? "ordered_list" : "bullet_list";
    const [own, others] = [depthOf(state, name) ?? 0, depthOf(state, other) ?? 0];
    if (own > others) return liftListItem(node("list_item"))(state, dispatch);
    if (others === 0) return wrapInList(node(name))(state, dispatch);
    dispatch?.(state.tr.setNodeMarkup(state.selection.$from.before(others), node(name)));
    return true;
  };
}

function insertTable(state: EditorState, dispatch?: (transaction: Transaction) => void): boolean {
  if (isInTable(state)) return false;
  const row = (cell: string) =>
    node("table_row").create(
      null,
      [0, 1, 2].map(() => node(cell).createAndFill() as Node),
    );
  const table = node("table").create(null, [
    row("table_header"),
    row("table_cell"),
    row("table_cell"),
  ]);
  const change = state.tr.replaceSelectionWith(table);
  const at = change.doc.resolve(
    Math.max(0, change.mapping.map(state.selection.from) - table.nodeSize),
  );
  dispatch?.(change.setSelection(TextSelection.near(at)).scrollIntoView());
  return true;
}

const item = node("list_item");
const lineBreak: Command = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(node("hard_break").create()).scrollIntoView());
  return true;
};
// Ctrl+Enter belongs to the page.
export const { "Mod-Enter": _, ...plainKeys } = baseKeymap;

export const keys = {
  "Mod-b": tools.strong,
  "Mod-i": tools.em,
  "Mod-Alt-2": tools.heading,
  "Mod-Alt-3": tools.subheading,
  "Mod-Shift-7": tools.numbers,
  "Mod-Shift-8": tools.bullets,
  "Mod-Shift-9": tools.quote,
  "Mod-z": undo,
  "Mod-y": redo,
  "Shift-Mod-z": redo,
  "Shift-Enter": lineBreak,
  Enter: splitListItem(item),
  Tab: chainCommands(goToNextCell(1), sinkListItem(item)),
  "Shift-Tab": chainCommands(goToNextCell(-1), liftListItem(item)),
};

export const signs = inputRules({
  rules: [
    textblockTypeInputRule(/^(#{1,4})\s$/, node("heading"), ([, sign = ""]) => ({
      level: sign.length,
    })),
    wrappingInputRule(/^\s*>\s$/, node("blockquote")),
    wrappingInputRule(/^\s*[-+*•]\s$/, node("bullet_list")),
    wrappingInputRule(/^(\d{1,3})[.)]\s$/, node("ordered_list"), ([, order]) => ({
      order: Number(order),
    })),
    marking(/(?<![\w*])\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, "strong"),
    marking(/(?<![\w*])\*([^*\s](?:[^*]*[^*\s])?)\*$/, "em"),
    new InputRule(
      /(?:^|\s)(https?:\/\/\S+[^\s.,;:!?)])(\s)$/,
      (state, [whole, href = "", blank = " "], start, end) => {
        const from = start + whole.indexOf(href);
        return state.tr
          .addMark(from, from + href.length, mark("link").create({ href }))
          .insertText(blank, end);
      },
    ),
  ],
});

function marking(pattern: RegExp, name: "strong" | "em"): InputRule {
  return new InputRule(pattern, (state, [, words = ""], start, end) => {
    const style = mark(name);
    const text = letterSchema.text(words, [style.create()]);
    return state.tr.replaceWith(start, end, text).removeStoredMark(style);
  });
}

export function shownOf(state: EditorState): Shown {
  const { doc, selection, storedMarks } = state;
  const { $from, from, to, empty } = selection;
  const here = storedMarks ?? $from.marks();
  const has = (name: string) =>
    empty ? here.some(({ type }) => type.name === name) : doc.rangeHasMark(from, to, mark(name));
  const { type, attrs } = $from.parent;
  const [bullets, numbers] = [
    depthOf(state, "bullet_list") ?? 0,
    depthOf(state, "ordered_list") ?? 0,
  ];
  const pressed: Partial<Record<Tool, boolean>> = {
    strong: has("strong"),
    em: has("em"),
    heading: type === nodes.heading && attrs.level === 2,
    subheading: type === nodes.heading && attrs.level === 3,
    bullets: bullets > numbers,
    numbers: numbers > bullets,
    quote: depthOf(state, "blockquote") !== null,
  };
  const link = here.find(({ type }) => type.name === "link")?.attrs.href ?? null;
  const words =
    doc.textBetween(0, doc.content.size, " ", " ").match(/[\p{L}\p{N}][^\s]*/gu)?.length ?? 0;
  return {
    pressed: (Object.keys(pressed) as Tool[]).filter((tool) => pressed[tool]),
    isInTable: isInTable(state),
    link,
    words,
  };
}

export function linkRange({ selection }: EditorState): { from: number; to: number } {
  const { $from, empty, from, to } = selection;
  const link = $from.marks().find(({ type }) => type.name === "link");
  if (!empty || !link) return { from, to };
  let [first, last] = [$from.index(), $from.indexAfter()];
  const { parent } = $from;
  const isLinked = (at: number) =>
    at >= 0 && at < parent.childCount && link.isInSet(parent.child(at).marks);
  while (isLinked(first - 1)) first -= 1;
  while (isLinked(last)) last += 1;
  const start = $from.start();
  const offset = (count: number) =>
    parent.children.slice(0, count).reduce((sum, { nodeSize }) => sum + nodeSize, 0);
  return { from: start + offset(first), to: start + offset(last) };
}
