import "prosemirror-view/style/prosemirror.css";
import "prosemirror-tables/style/tables.css";
import { dropCursor } from "prosemirror-dropcursor";
import { history } from "prosemirror-history";
import { keymap } from "prosemirror-keymap";
import { type Node, Slice } from "prosemirror-model";
import { EditorState, Plugin } from "prosemirror-state";
import { tableEditing } from "prosemirror-tables";
import { Decoration, DecorationSet, EditorView } from "prosemirror-view";
import { letterSchema } from "./letter-schema.ts";
import { type Letter, readLetter } from "./letter-text.ts";
import {
  keys,
  linkRange,
  mark,
  node,
  plainKeys,
  type Shown,
  shownOf,
  signs,
  type Tool,
  tools,
} from "./letter-tools.client.ts";
import { cleanPasted, looksLikeMarkdown } from "./pasted.client.ts";
import { filesOf, type StoredPicture } from "./pictures.client.ts";

const arriving: Plugin<DecorationSet> = new Plugin<DecorationSet>({
  state: {
    init: () => DecorationSet.empty,
    apply(change, shown) {
      const { at, id } = change.getMeta(arriving) ?? {};
      const mapped = shown.map(change.mapping, change.doc);
      if (id === undefined) return mapped;
      if (at === undefined)
        return mapped.remove(mapped.find(undefined, undefined, (spec) => spec.id === id));
      return mapped.add(change.doc, [Decoration.widget(at, arrivingSign, { id })]);
    },
  },
  props: { decorations: (state) => arriving.getState(state) },
});

function arrivingSign(): HTMLElement {
  const sign = document.createElement("span");
  sign.className = "arriving";
  sign.textContent = "Adding the picture…";
  return sign;
}

const lastLine = new Plugin({
  appendTransaction(_, __, { doc, tr }) {
    const last = doc.lastChild;
    const isPlain = last?.type === node("paragraph") && last?.firstChild?.type !== node("image");
    return isPlain ? null : tr.insert(doc.content.size, node("paragraph").create());
  },
});

export type OpenLetter = ReturnType<typeof createView>;

export type Opening = {
  parent: HTMLElement;
  text: string;
  format: "markdown" | "html";
  label: string;
  store: (file: File) => Promise<StoredPicture>;
  onChange: (text: string) => void;
  onShown: (shown: Shown) => void;
  onProblem: (sentence: string) => void;
  /** Markdown was pasted as words; `format` puts what it means in their place. Null once they were changed. */
  onMarkdown: (format: (() => void) | null) => void;
  onLink: () => void;
};

export function openLetter(
  opening: Opening,
): { ok: true; view: OpenLetter } | { ok: false; why: string } {
  const read = readLetter(opening.text, opening.format);
  return read.ok ? { ok: true, view: createView(read.letter, opening) } : read;
}

function createView(
  letter: Letter,
  { parent, label, store, onChange, onShown, onProblem, onMarkdown, onLink }: Opening,
) {
  function askForLink(): boolean {
    onLink();
    return true;
  }

  const view = new EditorView(parent, {
    state: EditorState.create({
      doc: letter.doc,
      plugins: [
        signs,
        keymap({ ...keys, "Mod-k": askForLink }),
        keymap(plainKeys),
        history(),
        dropCursor({ width: 2 }),
        tableEditing(),
        arriving,
        lastLine,
      ],
    }),
    attributes: {
      role: "textbox",
      "aria-multiline": "true",
      "aria-label": label,
      class: "letter issue-body",
    },
    nodeViews: { image: pictureView },
    transformPastedHTML: cleanPasted,
    handlePaste(_, event, slice) {
      const files = filesOf(event.clipboardData);
      if (files.length > 0) {
        void addPictures(files);
        return true;
      }
      const text = event.clipboardData?.getData("text/plain").trim() ?? "";
      if (event.clipboardData?.types.includes("text/html")) return false;
      if (/^https?:\/\/\S+$/.test(text)) return linkTo(text);
      if (looksLikeMarkdown(text)) pasteMarkdown(text, slice);
      return looksLikeMarkdown(text);
    },
    handleDrop(_, event) {
      const files = filesOf(event.dataTransfer);
      if (files.length === 0) return false;
      void addPictures(files, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos);
      return true;
    },
    dispatchTransaction(change) {
      view.updateState(view.state.apply(change));
      if (change.docChanged) {
        onChange(letter.write(view.state.doc));
        onMarkdown(null);
      }
      onShown(shownOf(view.state));
    },
  });
  view.dispatch(view.state.tr);

  function linkTo(href: string): boolean {
    const { from, to, empty } = view.state.selection;
    const link = mark("link").create({ href });
    view.dispatch(
      empty
        ? view.state.tr.replaceSelectionWith(letterSchema.text(href, [link]), false)
        : view.state.tr.addMark(from, to, link),
    );
    return true;
  }

  function pasteMarkdown(text: string, words: Slice): void {
    const { from } = view.state.selection;
    view.dispatch(view.state.tr.replaceSelection(words).scrollIntoView());
    const read = readLetter(text, "markdown");
    if (!read.ok) return;
    const { to } = view.state.selection;
    onMarkdown(() => {
      const meant = Slice.maxOpen(read.letter.doc.content);
      view.dispatch(
        view.state.tr.replaceRange(from, to, new Slice(meant.content, 0, 0)).scrollIntoView(),
      );
      view.focus();
    });
  }

  async function addPictures(files: readonly File[], at?: number): Promise<void> {
    for (const file of files) {
      const id = {};
      const place = at ?? view.state.selection.to;
      view.dispatch(view.state.tr.setMeta(arriving, { id, at: place }));
      const stored = await store(file);
      const [found] =
        arriving.getState(view.state)?.find(undefined, undefined, (spec) => spec.id === id) ?? [];
      const change = view.state.tr.setMeta(arriving, { id });
      if (stored.ok && found) {
        const picture = node("image").create({ src: stored.path, width: stored.width });
        change.replaceRangeWith(found.from, found.from, node("paragraph").create(null, picture));
      }
      view.dispatch(change.scrollIntoView());
      if (!stored.ok) onProblem(stored.problem);
    }
  }

  return {
    use(tool: Tool) {
      tools[tool](view.state, view.dispatch);
      view.focus();
    },
    /** Links the selected words, or the link's that the selection is in; null takes the link away. */
    link(href: string | null) {
      const { from, to } = linkRange(view.state);
      view.focus();
      if (href && from === to) return void linkTo(href);
      const plain = view.state.tr.removeMark(from, to, mark("link"));
      view.dispatch(href ? plain.addMark(from, to, mark("link").create({ href })) : plain);
    },
    addPictures,
    focus: () => view.focus(),
    destroy: () => view.destroy(),
  };
}

/** A picture with the description that is read aloud, and shown where pictures are off. */
function pictureView(picture: Node, view: EditorView, placeOf: () => number | undefined) {
  const dom = document.createElement("span");
  dom.className = "picture";
  dom.contentEditable = "false";
  const image = document.createElement("img");
  const description = document.createElement("input");
  description.placeholder = "Describe it, for whoever doesn’t see it";
  description.setAttribute("aria-label", "Description of the picture");
  description.addEventListener("input", () => {
    const place = placeOf();
    if (place === undefined) return;
    view.dispatch(view.state.tr.setNodeAttribute(place, "alt", description.value));
  });
  dom.append(image, description);
  function show({ attrs: { src, alt, width } }: Node): void {
    // The desk fetches nothing from elsewhere; the preview does.
    const isOwn = src.startsWith("/pictures/");
    if (isOwn && image.getAttribute("src") !== src) image.src = src;
    dom.title = isOwn ? "" : `A picture at ${src}`;
    image.alt = alt ?? "";
    if (width) image.setAttribute("width", width);
    if (document.activeElement !== description) description.value = alt ?? "";
    dom.classList.toggle("undescribed", !alt);
  }
  show(picture);
  return {
    dom,
    update(next: Node) {
      if (next.type !== picture.type) return false;
      show(next);
      return true;
    },
    selectNode: () => dom.classList.add("selected"),
    deselectNode: () => dom.classList.remove("selected"),
    stopEvent: ({ target }: Event) => target === description,
    ignoreMutation: () => true,
  };
}
