import { html } from "@codemirror/lang-html";
import { markdown } from "@codemirror/lang-markdown";
import { EditorView, minimalSetup } from "codemirror";
import type { Opening } from "./letter.client.ts";
import { filesOf } from "./pictures.client.ts";

/** Shows a text as it is written, in `parent`. `store` keeps a picture and answers with its place. */
export function openSource({
  parent,
  text,
  format,
  label,
  store,
  onChange,
  onProblem,
}: Pick<Opening, "parent" | "text" | "format" | "label" | "store" | "onChange" | "onProblem">) {
  const places = new Set<{ at: number }>();

  function take(event: Event, data: DataTransfer | null, at?: number | null): boolean {
    const files = filesOf(data);
    if (files.length === 0) return false;
    event.preventDefault();
    void addPictures(files, at ?? undefined);
    return true;
  }

  async function addPictures(files: readonly File[], at?: number): Promise<void> {
    for (const file of files) {
      const place = { at: at ?? view.state.selection.main.to };
      places.add(place);
      const stored = await store(file);
      places.delete(place);
      if (!stored.ok) {
        onProblem(stored.problem);
        continue;
      }
      const picture = `<img src="${stored.path}" alt="" width="${stored.width}">`;
      const insert = format === "html" ? picture : `\n\n${picture}\n\n`;
      view.dispatch({ changes: { from: place.at, insert } });
    }
  }

  const view = new EditorView({
    parent,
    doc: text,
    extensions: [
      minimalSetup,
      EditorView.lineWrapping,
      format === "html" ? html() : markdown(),
      EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "true" }),
      EditorView.updateListener.of(({ docChanged, changes, state }) => {
        if (!docChanged) return;
        for (const place of places) place.at = changes.mapPos(place.at);
        onChange(state.doc.toString());
      }),
      EditorView.domEventHandlers({
        paste: (event) => take(event, event.clipboardData),
        drop: (event) =>
          take(event, event.dataTransfer, view.posAtCoords({ x: event.clientX, y: event.clientY })),
      }),
    ],
  });
  return { addPictures, focus: () => view.focus(), destroy: () => view.destroy() };
}
