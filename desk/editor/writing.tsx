import "#app/styles/issue-body.css";
import { type SyntheticEvent, useCallback, useEffect, useRef, useState } from "react";
import type { DraftSaver } from "../draft-saving.ts";
import type { OpenLetter, Shown } from "./letter.client.ts";
import { filesOf, storePicture } from "./pictures.client.ts";
import { ToolButton, Toolbar } from "./toolbar.tsx";

type WritingProps = {
  draftId: number;
  saver: DraftSaver;
  first: string;
  /** A picture is on its way into the text, which must not change its form meanwhile. */
  isArriving: boolean;
  setArriving: (change: (count: number) => number) => void;
};

/**
 * The field of a draft's text: a letter or, where it is more than that, the HTML in the form's own field, which is shown
 * until the letter's editor has loaded, too.
 */
export function Writing({ draftId, saver, first, isArriving, setArriving }: WritingProps) {
  const box = useRef<HTMLDivElement>(null);
  const area = useRef<HTMLTextAreaElement>(null);
  const [letter, setLetter] = useState<OpenLetter | null>(null);
  const [wantsSource, setWantsSource] = useState(false);
  const [isMore, setMore] = useState(false);
  const [shown, setShown] = useState<Shown | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isLinking, setLinking] = useState(false);

  const store = useCallback(
    async (file: File) => {
      setArriving((count) => count + 1);
      return await storePicture(file, draftId).finally(() => setArriving((count) => count - 1));
    },
    [draftId, setArriving],
  );

  useEffect(() => {
    const [field, parent] = [area.current, box.current];
    if (!field || !parent || wantsSource) return;
    let opened: OpenLetter | null = null;
    let isGone = false;
    async function open(field: HTMLTextAreaElement, parent: HTMLElement): Promise<void> {
      const { openLetter } = await import("./letter.client.ts");
      if (isGone) return;
      opened = openLetter({
        parent,
        html: field.value,
        label: "Text",
        store,
        onWriting: saver.writing,
        onChange(html) {
          field.value = html;
          saver.typed();
        },
        onShown: setShown,
        onProblem: setProblem,
        onLink: () => setLinking(true),
      });
      setLetter(opened);
      setMore(opened === null);
      if (opened && document.activeElement === field) opened.focus();
      field.hidden = opened !== null;
    }
    // The field itself stays, with the text in it; the desk says that a part of it is missing.
    open(field, parent).catch(() => {});

    function takeLate(): void {
      const late = opened?.take() ?? null;
      if (late !== null && field) field.value = late;
    }
    function addLate({ formData }: FormDataEvent): void {
      takeLate();
      formData.set("body", field?.value ?? "");
    }
    field.form?.addEventListener("formdata", addLate);
    return () => {
      isGone = true;
      field.form?.removeEventListener("formdata", addLate);
      takeLate();
      opened?.destroy();
      field.hidden = false;
      setLetter(null);
      setShown(null);
    };
  }, [saver, store, wantsSource]);

  async function addToSource(files: File[]): Promise<void> {
    for (const file of files) {
      const stored = await store(file);
      if (!stored.ok) setProblem(stored.problem);
      else area.current?.setRangeText(`<img src="${stored.path}" alt="" width="${stored.width}">`);
    }
    saver.typed();
  }

  function takeFiles(event: SyntheticEvent, data: DataTransfer): void {
    const files = filesOf(data);
    if (files.length === 0) return;
    event.preventDefault();
    void addToSource(files);
  }

  return (
    <div className="field writing-text">
      <Toolbar
        {...{ letter, shown, isLinking, setLinking }}
        addFiles={letter?.addFiles ?? addToSource}
      >
        <ToolButton
          name="HTML"
          aria-pressed={letter === null}
          disabled={isMore || isArriving}
          onClick={() => setWantsSource(!wantsSource)}
        />
      </Toolbar>
      {isMore && (
        <p className="empty" role="note">
          Shown as its HTML, because its layout can’t be edited here.
        </p>
      )}
      {problem !== null && (
        <p className="notice wrong actions" role="alert">
          {problem}
          <button type="button" className="button" onClick={() => setProblem(null)}>
            OK
          </button>
        </p>
      )}
      <div ref={box} className="editor issue-text" />
      <textarea
        {...{ ref: area, name: "body", rows: 20, defaultValue: first }}
        aria-label="Text"
        onPaste={(event) => takeFiles(event, event.clipboardData)}
        onDrop={(event) => takeFiles(event, event.dataTransfer)}
      />
    </div>
  );
}
