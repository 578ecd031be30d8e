import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";

type TabItem = { id: string; label: string; panel: ReactNode };

/**
 * Tabs by the ARIA Authoring Practices: one tab stop, wrapping arrow keys, Home and End, selection follows focus. The
 * HTML has every panel; without scripts all of them show.
 */
export function Tabs({ label, items }: { label: string; items: readonly TabItem[] }) {
  const [selected, setSelected] = useState(0);
  const buttons = useRef<(HTMLButtonElement | null)[]>([]);
  const name = useId();

  function moveWithKeys(event: KeyboardEvent) {
    const count = items.length;
    const nextByKey: Partial<Record<string, number>> = {
      ArrowRight: (selected + 1) % count,
      ArrowLeft: (selected - 1 + count) % count,
      Home: 0,
      End: count - 1,
    };
    const next = nextByKey[event.key];
    if (next === undefined) return;
    event.preventDefault();
    setSelected(next);
    buttons.current[next]?.focus();
  }

  return (
    <div className="tabs">
      <div className="tab-list" role="tablist" aria-label={label}>
        {items.map((item, index) => (
          <button
            key={item.id}
            ref={(element) => {
              buttons.current[index] = element;
            }}
            type="button"
            role="tab"
            id={`${name}-tab-${item.id}`}
            aria-controls={`${name}-panel-${item.id}`}
            aria-selected={index === selected}
            tabIndex={index === selected ? 0 : -1}
            onClick={() => setSelected(index)}
            onKeyDown={moveWithKeys}
          >
            {item.label}
          </button>
        ))}
      </div>
      {items.map((item, index) => (
        <div
          key={item.id}
          className="sheet tab-panel"
          role="tabpanel"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: by the ARIA pattern, its first words are reached by Tab.
          tabIndex={0}
          id={`${name}-panel-${item.id}`}
          aria-labelledby={`${name}-tab-${item.id}`}
          hidden={index !== selected}
        >
          {item.panel}
        </div>
      ))}
    </div>
  );
}
