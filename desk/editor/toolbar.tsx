import { useRef, useState } from "react";
import type { Shown, Tool } from "./letter-tools.client.ts";

type Button = { tool: Tool; sign: string; name: string; keys?: string };

const buttons: Button[] = [
  { tool: "strong", sign: "B", name: "Bold", keys: "Control+B" },
  { tool: "em", sign: "I", name: "Italic", keys: "Control+I" },
  { tool: "heading", sign: "H", name: "Heading", keys: "Control+Alt+2" },
  { tool: "subheading", sign: "h", name: "Smaller heading", keys: "Control+Alt+3" },
  { tool: "bullets", sign: "•", name: "List", keys: "Control+Shift+8" },
  { tool: "numbers", sign: "1.", name: "Numbered list", keys: "Control+Shift+7" },
  { tool: "quote", sign: "“", name: "Quote", keys: "Control+Shift+9" },
];

const tableButtons: Button[] = [
  { tool: "row below", sign: "+ Row", name: "Add a row below" },
  { tool: "column after", sign: "+ Column", name: "Add a column after" },
  { tool: "without row", sign: "− Row", name: "Remove the row" },
  { tool: "without column", sign: "− Column", name: "Remove the column" },
  { tool: "without table", sign: "Remove the table", name: "Remove the table" },
];

type ToolbarProps = {
  shown: Shown | null;
  use: (tool: Tool) => void;
  link: (href: string | null) => void;
  focus: () => void;
  isLinking: boolean;
  setLinking: (is: boolean) => void;
  onPictures: (files: File[]) => void;
  children: React.ReactNode;
};

export function Toolbar({ shown, use, link, focus, children, ...props }: ToolbarProps) {
  const { isLinking, setLinking, onPictures } = props;
  const pictures = useRef<HTMLInputElement>(null);
  const toolButton = ({ tool, sign, name, keys }: Button) => (
    <button
      key={tool}
      type="button"
      className="tool"
      data-tool={tool}
      aria-label={name}
      aria-pressed={shown?.pressed.includes(tool)}
      aria-keyshortcuts={keys}
      title={keys ? `${name} (${keys.replace("Control", "Ctrl")})` : name}
      data-sign={sign}
      onClick={() => use(tool)}
    />
  );
  return (
    <fieldset className="toolbar" aria-label="Formatting">
      <div className="tools">
        {shown && buttons.map(toolButton)}
        {shown && (
          <button
            type="button"
            className="tool"
            aria-pressed={shown.link !== null}
            aria-expanded={isLinking}
            aria-keyshortcuts="Control+K"
            title="Link (Ctrl+K)"
            onClick={() => setLinking(!isLinking)}
          >
            Link
          </button>
        )}
        <button type="button" className="tool" onClick={() => pictures.current?.click()}>
          Picture
        </button>
        <input
          ref={pictures}
          type="file"
          accept="image/*"
          multiple
          hidden
          aria-label="Pictures to add"
          onChange={({ currentTarget: field }) => {
            onPictures([...(field.files ?? [])]);
            field.value = "";
          }}
        />
        {shown && !shown.isInTable && (
          <button type="button" className="tool" onClick={() => use("table")}>
            Table
          </button>
        )}
        {children}
      </div>
      {shown?.isInTable && <div className="tools">{tableButtons.map(toolButton)}</div>}
      {shown && isLinking && (
        <LinkField
          first={shown.link}
          onCancel={() => {
            setLinking(false);
            focus();
          }}
          onDone={(href) => {
            setLinking(false);
            link(href);
          }}
        />
      )}
    </fieldset>
  );
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
      <button type="button" className="tool" onClick={done}>
        Set the link
      </button>
      {first !== null && (
        <button type="button" className="tool" onClick={() => onDone(null)}>
          Remove the link
        </button>
      )}
    </div>
  );
}
