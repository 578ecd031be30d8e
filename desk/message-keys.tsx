import { type RefObject, useLayoutEffect, useRef } from "react";

type Keys = Record<string, { words: string; press: () => void }>;

const item = "message keys";

/**
 * A page's keys, and the "?" that lists them. They rest while somebody types, and for whoever turns them off: a voice or a
 * shaking hand presses keys that nobody meant (WCAG 2.2, 2.1.4).
 */
export function MessageKeys({ keys }: { keys: Keys }) {
  const help = useRef<HTMLDivElement>(null);
  const latest = useRef(keys);
  latest.current = keys;
  const toggle = useRef<HTMLInputElement>(null);

  // With the page, and not a moment after it: a key that is pressed as soon as one sees it counts.
  useLayoutEffect(() => {
    const isOn = () => readItem() !== "off";
    if (toggle.current) toggle.current.checked = isOn();
    function onKeyDown(event: KeyboardEvent) {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (ctrlKey || metaKey || altKey || event.defaultPrevented) return;
      const typed = "input:not([type=checkbox]), select, textarea, dialog, [contenteditable]";
      if ((target as Element).closest(typed) || document.querySelector("dialog[open]")) return;
      if (key === "?") help.current?.togglePopover();
      else if (isOn()) latest.current[key]?.press();
      if (key === "/" && isOn() && latest.current[key]) event.preventDefault();
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);

  return (
    <>
      <button type="button" className="button" popoverTarget="keys" aria-label="Keys">
        ?
      </button>
      <div id="keys" className="keys stack" popover="auto" ref={help}>
        <h2>Keys</h2>
        <dl className="facts">
          {[...Object.entries(keys), ["?", { words: "These keys" }] as const].map(
            ([key, { words }]) => (
              <div key={key} className="pair">
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{words}</dd>
              </div>
            ),
          )}
        </dl>
        <label className="check">
          <input
            type="checkbox"
            ref={toggle}
            defaultChecked
            onChange={({ target }) => storeItem(target.checked ? "on" : "off")}
          />
          <span>Use these keys on this device</span>
        </label>
      </div>
    </>
  );
}

/** A browser may refuse to store anything. */
function readItem(): string | null {
  try {
    return localStorage.getItem(item);
  } catch {
    return null;
  }
}

function storeItem(value: string): void {
  try {
    localStorage.setItem(item, value);
  } catch {}
}

/** Moves the focus by a row of a list; from elsewhere to its first. */
export function moveInList(list: RefObject<HTMLElement | null>, by: 1 | -1): void {
  const rows = [...(list.current?.querySelectorAll<HTMLElement>("li > a") ?? [])];
  const at = rows.findIndex((row) => row.parentElement?.contains(document.activeElement));
  rows[at < 0 ? 0 : Math.max(0, Math.min(rows.length - 1, at + by))]?.focus();
}
