import "#app/styles/issue-body.css";
import "./writing.css";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { DraftWords } from "#newsletter/issues/draft.ts";
import type { OpenLetter } from "./letter.client.ts";
import type { Shown, Tool } from "./letter-tools.client.ts";
import { storePicture } from "./pictures.client.ts";
import { Toolbar } from "./toolbar.tsx";

type Opened = Pick<OpenLetter, "addPictures" | "focus" | "destroy"> & Partial<OpenLetter>;

type WritingProps = {
  draftId: number;
  area: RefObject<HTMLTextAreaElement | null>;
  first: string;
  format: DraftWords["format"];
  onText: () => void;
  onFormat: (format: DraftWords["format"]) => void;
  onWords: (count: number | null) => void;
  /** A picture is on its way into the text, which must not change its form meanwhile. */
  isArriving: boolean;
  setArriving: (change: (count: number) => number) => void;
};

/**
 * The field of a draft's text, as a letter or as its source. `area` is the form's own field: it holds the text, and is shown
 * until an editor has loaded.
 */
export function Writing({ draftId, area, first, format, ...props }: WritingProps) {
  const { onText, onFormat, onWords, isArriving, setArriving } = props;
  const box = useRef<HTMLDivElement>(null);
  const opened = useRef<Opened>(null);
  const [wantsSource, setWantsSource] = useState(false);
  const [shown, setShown] = useState<Shown | null>(null);
  const [why, setWhy] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [isLinking, setLinking] = useState(false);
  const [asMarkdown, setAsMarkdown] = useState<(() => void) | null>(null);
  const events = useRef({ onText, onWords });
  useEffect(() => {
    events.current = { onText, onWords };
  });

  useEffect(() => {
    let isGone = false;
    async function open(): Promise<void> {
      const letters = await import("./letter.client.ts");
      if (isGone || !box.current || !area.current) return;
      const field = area.current;
      const shared = {
        parent: box.current,
        label: "Text",
        async store(file: File) {
          setArriving((count) => count + 1);
          try {
            return await storePicture(file, draftId);
          } finally {
            setArriving((count) => count - 1);
          }
        },
        onChange(text: string) {
          field.value = text;
          setProblem(null);
          events.current.onText();
        },
        onProblem: setProblem,
      };
      const opening = wantsSource
        ? null
        : letters.openLetter({
            ...shared,
            text: field.value,
            format,
            onShown(now: Shown) {
              setShown(now);
              events.current.onWords(now.words);
            },
            onMarkdown: (put) => setAsMarkdown(() => put),
            onLink: () => setLinking(true),
          });
      setWhy(opening?.ok === false ? opening.why : null);
      if (opening?.ok) opened.current = opening.view;
      else {
        const sources = await import("./source.client.ts");
        if (isGone) return;
        opened.current = sources.openSource({ ...shared, text: field.value, format });
      }
      if (document.activeElement === field) opened.current.focus();
      field.hidden = true;
    }
    void open();
    return () => {
      isGone = true;
      opened.current?.destroy();
      opened.current = null;
      setShown(null);
      setAsMarkdown(null);
      events.current.onWords(null);
    };
  }, [area, draftId, format, wantsSource, setArriving]);

  const isSource = wantsSource || why !== null;
  return (
    <div className="field writing-text">
      <Toolbar
        shown={isSource ? null : shown}
        use={(tool: Tool) => opened.current?.use?.(tool)}
        link={(href) => opened.current?.link?.(href)}
        focus={() => opened.current?.focus()}
        isLinking={isLinking}
        setLinking={setLinking}
        onPictures={(files) => void opened.current?.addPictures(files)}
      >
        <button
          type="button"
          className="tool"
          data-tool="source"
          aria-pressed={isSource}
          disabled={why !== null || isArriving}
          onClick={() => setWantsSource(!wantsSource)}
        >
          Source
        </button>
      </Toolbar>
      {isSource && (
        <label className="written-in">
          Written in{" "}
          <select
            value={format}
            disabled={isArriving}
            onChange={(event) => onFormat(event.target.value as typeof format)}
          >
            <option value="markdown">Markdown</option>
            <option value="html">HTML</option>
          </select>
        </label>
      )}
      {why !== null && (
        <p className="empty" role="note">
          Shown as source, because {why}.
        </p>
      )}
      {problem !== null && (
        <p className="notice wrong" role="alert">
          {problem}
        </p>
      )}
      {asMarkdown && (
        <p className="notice actions" role="status">
          That looks like Markdown.
          <button type="button" className="tool" onClick={() => asMarkdown()}>
            Format it
          </button>
          <button type="button" className="tool" onClick={() => setAsMarkdown(null)}>
            Leave it as it is
          </button>
        </p>
      )}
      <div ref={box} className="editor issue-text" />
      <textarea ref={area} name="body" aria-label="Text" rows={20} defaultValue={first} />
    </div>
  );
}
