import { type ChainedCommands, Editor, findParentNodeClosestToPos } from "@tiptap/core";
import { DOMParser, type Node } from "@tiptap/pm/model";
import { linkAddress } from "#issue-body/body-tree.ts";
import { createMarkdown } from "#issue-body/create-markdown.ts";
import type { StoredPicture } from "../pages/draft-requests.ts";
import { forReading, letterExtensions, meaningOf, writeLetter } from "./letter-schema.ts";
import { cleanPasted, looksLikeMarkdown } from "./pasted.client.ts";
import { filesOf } from "./pictures.client.ts";

type ToolKind = { press: (chain: ChainedCommands) => ChainedCommands; is?: [string, object?] };

const tools = {
  bold: { press: (chain) => chain.toggleBold(), is: ["bold"] },
  italic: { press: (chain) => chain.toggleItalic(), is: ["italic"] },
  heading: { press: (chain) => chain.toggleHeading({ level: 2 }), is: ["heading", { level: 2 }] },
  smaller: { press: (chain) => chain.toggleHeading({ level: 3 }), is: ["heading", { level: 3 }] },
  bullets: { press: (chain) => chain.toggleBulletList(), is: ["bulletList"] },
  numbers: { press: (chain) => chain.toggleOrderedList(), is: ["orderedList"] },
  quote: { press: (chain) => chain.toggleBlockquote(), is: ["blockquote"] },
  table: { press: (chain) => chain.insertTable({ rows: 3, cols: 3 }), is: ["table"] },
  "row below": { press: (chain) => chain.addRowAfter() },
  "column after": { press: (chain) => chain.addColumnAfter() },
  "without row": { press: (chain) => chain.deleteRow() },
  "without column": { press: (chain) => chain.deleteColumn() },
  "without table": { press: (chain) => chain.deleteTable() },
} satisfies Record<string, ToolKind>;

export type Tool = keyof typeof tools;

/** The marks and blocks around the selection. */
export type Shown = { pressed: Tool[]; link: string | null };

export type OpenLetter = NonNullable<ReturnType<typeof openLetter>>;

type Opening = {
  parent: HTMLElement;
  html: string;
  label: string;
  store: (file: File) => Promise<StoredPicture>;
  /** A key was pressed; what it made of the letter comes with `onChange`. */
  onWriting: () => void;
  onChange: (html: string) => void;
  onShown: (shown: Shown) => void;
  onProblem: (sentence: string) => void;
  onLink: () => void;
};

/** Writing a long letter as HTML takes a phone longer than a key may. */
const writeEveryMs = 300;

/** Shows HTML as a letter, or returns null where it is more than a letter holds. */
export function openLetter({ parent, html, label, store, ...on }: Opening) {
  let shown = "";
  let writing: ReturnType<typeof setTimeout> | undefined;

  const editor = new Editor({
    element: null,
    extensions: letterExtensions,
    content: forReading(html),
    // The policy allows no style of a script's.
    injectCSS: false,
    editorProps: {
      attributes: {
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": label,
        class: "letter issue-body",
      },
      // The cursor's line stays clear of the bar and the tools.
      scrollThreshold: { top: 70, bottom: 120, left: 0, right: 0 },
      scrollMargin: { top: 70, bottom: 120, left: 0, right: 0 },
      transformPastedHTML(pasted) {
        const { html: clean, lost } = cleanPasted(pasted);
        if (lost) on.onProblem(lost);
        return clean;
      },
      clipboardTextParser(text, around, isPlain, { state: { schema } }) {
        // Left to the editor, as what is pasted with Shift.
        if (isPlain || !looksLikeMarkdown(text)) return null as never;
        const { body } = document.implementation.createHTMLDocument();
        body.innerHTML = htmlOf(text);
        return DOMParser.fromSchema(schema).parseSlice(body, { context: around });
      },
      handlePaste(_, { clipboardData }) {
        const files = filesOf(clipboardData);
        if (files.length > 0) void addFiles(files);
        return files.length > 0;
      },
      handleDrop(view, { dataTransfer, clientX: left, clientY: top }) {
        const files = filesOf(dataTransfer);
        if (files.length > 0) void addFiles(files, view.posAtCoords({ left, top })?.pos);
        return files.length > 0;
      },
      handleKeyDown(_, { key, code, ctrlKey, metaKey, shiftKey }) {
        if (!(ctrlKey || metaKey) || shiftKey) return false;
        if (code === "KeyK") on.onLink();
        // Ctrl+Enter belongs to the page.
        return code === "KeyK" || key === "Enter";
      },
    },
    onUpdate() {
      if (writing === undefined) on.onWriting();
      writing ??= setTimeout(write, writeEveryMs);
    },
    onBlur: () => writing && write(),
    onTransaction: show,
  });
  if (meaningOf(html) !== meaningOf(writeLetter(editor.state.doc))) {
    editor.destroy();
    return null;
  }
  editor.mount(parent);
  show();

  function write(): void {
    const late = take();
    if (late !== null) on.onChange(late);
  }

  /** The letter, if it was changed since it was last written. */
  function take(): string | null {
    if (writing === undefined) return null;
    clearTimeout(writing);
    writing = undefined;
    return writeLetter(editor.state.doc);
  }

  function show(): void {
    const now: Shown = {
      pressed: (Object.keys(tools) as Tool[]).filter((tool) => {
        const { is }: ToolKind = tools[tool];
        return is && editor.isActive(...is);
      }),
      link: editor.getAttributes("link").href ?? null,
    };
    if (shown === JSON.stringify(now)) return;
    shown = JSON.stringify(now);
    on.onShown(now);
  }

  async function addFiles(files: readonly File[], at = editor.state.selection.to): Promise<void> {
    let place = at;
    editor.on("transaction", ({ transaction }) => {
      place = transaction.mapping.map(place);
    });
    for (const file of files) {
      if (/\.(?:md|markdown)$/i.test(file.name)) {
        const html = htmlOf(await file.text());
        editor.chain().focus().insertContentAt(place, html).scrollIntoView().run();
      } else {
        const stored = await store(file);
        if (editor.isDestroyed) return;
        if (stored.ok) addPicture({ src: stored.path, width: stored.width }, place);
        else on.onProblem(stored.problem);
      }
    }
  }

  function addPicture(attrs: { src: string; width: string }, at: number): void {
    editor.commands.command(({ tr, state: { schema } }) => {
      const isTable = ({ type }: Node) => type.name === "table";
      const table = findParentNodeClosestToPos(tr.doc.resolve(at), isTable);
      const below = table ? table.pos + table.node.nodeSize : at;
      const picture = { type: "paragraph", content: [{ type: "image", attrs }] };
      tr.replaceRangeWith(below, below, schema.nodeFromJSON(picture)).scrollIntoView();
      return true;
    });
  }

  return {
    use: (tool: Tool) => tools[tool].press(editor.chain().focus()).run(),
    /** Links the selected words, or the link's that the selection is in; null takes the link away. */
    link(typed: string | null) {
      const href = typed && linkAddress(typed);
      const chain = editor.chain().focus().extendMarkRange("link");
      if (typed === null) chain.unsetLink().run();
      else if (!href) on.onProblem(`“${typed}” is no address that a link can have.`);
      else if (!editor.state.selection.empty || editor.isActive("link"))
        chain.setLink({ href }).run();
      else {
        const marks = [{ type: "link", attrs: { href } }];
        chain.insertContent({ type: "text", text: typed, marks }).run();
      }
    },
    addFiles: (files: readonly File[]) => addFiles(files),
    take,
    focus: () => void editor.commands.focus(),
    destroy: () => editor.destroy(),
  };
}

/** A letter's title is above it, so its headings begin one step lower. */
function htmlOf(markdown: string): string {
  const html = createMarkdown().render(markdown);
  return /<h1\b/.test(html)
    ? html.replace(/(<\/?h)([1-5])\b/g, (_, tag, level) => tag + (Number(level) + 1))
    : html;
}
