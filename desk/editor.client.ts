import { html } from "@codemirror/lang-html";
import { markdown } from "@codemirror/lang-markdown";
import { basicSetup, EditorView } from "codemirror";

export type Editor = {
  setText(text: string): void;
  insert(text: string): void;
  destroy(): void;
};

/** CodeMirror in `parent`. Pictures that are pasted or dropped go to `onPictures` and not into the text. */
export function openEditor({
  parent,
  text,
  format,
  label,
  onChange,
  onPictures,
}: {
  parent: HTMLElement;
  text: string;
  format: "markdown" | "html";
  label: string;
  onChange: (text: string) => void;
  onPictures: (files: File[]) => void;
}): Editor {
  function takePictures(event: Event, files: FileList | undefined): boolean {
    const pictures = [...(files ?? [])].filter(({ type }) => type.startsWith("image/"));
    if (pictures.length === 0) return false;
    event.preventDefault();
    onPictures(pictures);
    return true;
  }
  const view = new EditorView({
    parent,
    doc: text,
    extensions: [
      basicSetup,
      EditorView.lineWrapping,
      format === "html" ? html() : markdown(),
      EditorView.contentAttributes.of({ "aria-label": label, spellcheck: "true" }),
      EditorView.updateListener.of(({ docChanged, state }) => {
        if (docChanged) onChange(state.doc.toString());
      }),
      EditorView.domEventHandlers({
        paste: (event) => takePictures(event, event.clipboardData?.files),
        drop: (event) => takePictures(event, event.dataTransfer?.files),
      }),
    ],
  });
  return {
    setText(replacement) {
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: replacement } });
    },
    insert(added) {
      view.dispatch(view.state.replaceSelection(added));
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}
