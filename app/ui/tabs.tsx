import type { ReactNode } from "react";

type TabItem = { id: string; label: string; panel: ReactNode };

/** Chosen by app/alive/first-hand.js. Without scripts all panels show. */
export function Tabs({ label, items }: { label: string; items: readonly TabItem[] }) {
  return (
    <div className="sheet lifted">
      <div className="switch tab-list" role="tablist" aria-label={label}>
        {items.map((item, index) => (
          <button
            key={item.id}
            type="button"
            role="tab"
            id={`tab-${item.id}`}
            aria-controls={`panel-${item.id}`}
            aria-selected={index === 0}
            tabIndex={index === 0 ? 0 : -1}
          >
            {item.label}
          </button>
        ))}
      </div>
      {items.map((item, index) => (
        <div
          key={item.id}
          className="tab-panel"
          role="tabpanel"
          id={`panel-${item.id}`}
          aria-labelledby={`tab-${item.id}`}
          hidden={index !== 0}
        >
          {item.panel}
        </div>
      ))}
    </div>
  );
}
