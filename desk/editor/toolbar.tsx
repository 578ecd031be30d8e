import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from "react";
import type { OpenLetter, Shown, Tool } from "./letter.client.ts";

type Button = [tool: Tool, name: string, keys?: string, sign?: string];

const buttons: Button[] = [
  ["bold", "Bold", "Control+B", "M6 4h5a3 3 0 0 1 0 6H6zm0 6h6a3 3 0 0 1 0 6H6z"],
  ["italic", "Italic", "Control+I", "M8 4h7M5 16h7M12 4L8 16"],
  ["heading", "Heading", "Control+Alt+2", "M5 4v12M15 4v12M5 10h10"],
  ["bullets", "List", "Control+Shift+8", "M8 5h9m0 5H8m0 5h9M3 5h1m0 5H3m0 5h1"],
  ["numbers", "Numbered list", "Control+Shift+7", "M9 5h8m0 5H9m0 5h8M3 4l2-1v5M3 12h2l-2 4h3"],
];

const rareButtons: Button[] = [
  ["quote", "Quote", "Control+Shift+B"],
  ["smaller", "Smaller heading", "Control+Alt+3"],
  ["table", "Table"],
];

const tableButtons: Button[] = [
  ["row below", "Add a row below"],
  ["column after", "Add a column after"],
  ["without row", "Remove the row"],
  ["without column", "Remove the column"],
  ["without table", "Remove the table"],
];

type ToolButtonProps = ComponentProps<"button"> & { name: string; sign?: string | undefined };

export function ToolButton({ name, sign, ...button }: ToolButtonProps) {
  return (
    <button type="button" className="button" aria-label={name} title={name} {...button}>
      {sign && (
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d={sign} />
        </svg>
      )}
      {sign ? null : name}
    </button>
  );
}

type ToolbarProps = {
  letter: OpenLetter | null;
  shown: Shown | null;
  isLinking: boolean;
  setLinking: (is: boolean) => void;
  addFiles: (files: File[]) => Promise<void>;
  children: ReactNode;
};

export function Toolbar({ letter, shown, ...props }: ToolbarProps) {
  const { isLinking, setLinking, addFiles, children } = props;
  const files = useRef<HTMLInputElement>(null);
  useEffect(followKeyboard, []);
  const [wantsRare, setWantsRare] = useState(false);
  const toolButton = ([tool, name, keys, sign]: Button) => (
    <ToolButton
      key={tool}
      {...{ name, sign }}
      aria-pressed={shown?.pressed.includes(tool)}
      aria-keyshortcuts={keys}
      title={keys ? `${name} (${keys.replace("Control", "Ctrl")})` : name}
      onClick={() => letter?.use(tool)}
    />
  );
  return (
    <fieldset className="toolbar" aria-label="Formatting">
      <div className="tools">
        {shown && buttons.map(toolButton)}
        {shown && (
          <ToolButton
            name="Link"
            sign="M8 12c2 2 4 2 5 0l3-3a3 3 0 0 0-5-5l-1 1m2 3c-2-2-4-2-5 0l-3 3a3 3 0 0 0 5 5l1-1"
            aria-pressed={shown.link !== null}
            aria-expanded={isLinking}
            aria-keyshortcuts="Control+K"
            title="Link (Ctrl+K)"
            onClick={() => setLinking(!isLinking)}
          />
        )}
        <ToolButton
          name="Picture"
          sign="M3 4h14v12H3zm0 10l4-4 3 3 3-4 4 5M7 7h1"
          onClick={() => files.current?.click()}
        />
        <input
          ref={files}
          type="file"
          accept="image/jpeg,image/png,image/gif,image/webp"
          multiple
          hidden
          aria-label="Pictures to add"
          onChange={({ currentTarget: field }) => {
            void addFiles([...(field.files ?? [])]);
            field.value = "";
          }}
        />
        <ToolButton
          name="More tools"
          sign="M4 10h1M10 10h1M16 10h1"
          aria-expanded={wantsRare}
          onClick={() => setWantsRare(!wantsRare)}
        />
      </div>
      {wantsRare && (
        <div className="tools">
          {shown && rareButtons.map(toolButton)}
          {children}
        </div>
      )}
      {shown?.pressed.includes("table") && (
        <div className="tools">{tableButtons.map(toolButton)}</div>
      )}
      {shown && isLinking && (
        <LinkField
          first={shown.link}
          onCancel={() => {
            setLinking(false);
            letter?.focus();
          }}
          onDone={(href) => {
            setLinking(false);
            letter?.link(href);
          }}
        />
      )}
    </fieldset>
  );
}

/** A phone's keyboard lies over the page, which is told nothing else of it. */
function followKeyboard() {
  const view = window.visualViewport;
  const follow = () => {
    const coveredPx = view ? window.innerHeight - view.height - view.offsetTop : 0;
    const height = `${Math.max(0, Math.round(coveredPx))}px`;
    document.documentElement.style.setProperty("--keyboard", height);
  };
  for (const name of ["resize", "scroll"]) view?.addEventListener(name, follow);
  return () => {
    for (const name of ["resize", "scroll"]) view?.removeEventListener(name, follow);
  };
}

type LinkFieldProps = {
  first: string | null;
  onCancel: () => void;
  onDone: (href: string | null) => void;
};

function LinkField({ first, onCancel, onDone }: LinkFieldProps) {
  const [href, setHref] = useState(first ?? "");
  function done(): void {
    const typed = href.trim();
    const isWhole = /^(?:https?:|mailto:|tel:|\/|#)/i.test(typed);
    const whole = /^[^\s/]+@[^\s/]+$/.test(typed) ? `mailto:${typed}` : `https://${typed}`;
    onDone(typed === "" ? null : isWhole ? typed : whole);
  }
  return (
    <div className="tools">
      <input
        aria-label="The link’s address"
        placeholder="https://…"
        inputMode="url"
        value={href}
        // biome-ignore lint/a11y/noAutofocus: it was asked for by the press of a button.
        autoFocus
        onChange={(event) => setHref(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape") onCancel();
          if (event.key !== "Enter") return;
          event.preventDefault();
          done();
        }}
      />
      <button type="button" className="button" onClick={done}>
        Set the link
      </button>
      {first !== null && <ToolButton name="Unlink" onClick={() => onDone(null)} />}
    </div>
  );
}
