import type { ReactNode } from "react";

type TabItem = { id: string; label: string; panel: ReactNode };

/** ARIA Authoring Practices, with automatic selection. Without scripts all panels show. */
export function Tabs({ label, items }: { label: string; items: readonly TabItem[] }) {
  return (
    <div className="tabs">
      <div className="tab-list" role="tablist" aria-label={label}>
        {items.map((item, index) => (
          <button
            key={item.id}
            type="button"
            role="tab"
            id={`tab-${item.id}`}
            aria-controls={`panel-${item.id}`}
            aria-selected={index === 0}
            tabIndex={index === 0 ? 0 : -1}
            data-press=""
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

export function bringTabsAlive(): void {
  const tabs = [...document.querySelectorAll<HTMLElement>("[role=tab]")];

  function select(chosen: HTMLElement) {
    for (const tab of tabs) {
      const isChosen = tab === chosen;
      tab.ariaSelected = String(isChosen);
      tab.tabIndex = isChosen ? 0 : -1;
      const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "");
      if (panel) panel.hidden = !isChosen;
    }
  }

  for (const [index, tab] of tabs.entries()) {
    tab.addEventListener("click", () => select(tab));
    tab.addEventListener("keydown", (event) => {
      // The browser's history keys.
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      const nextByKey: Partial<Record<string, number>> = {
        ArrowRight: (index + 1) % tabs.length,
        ArrowLeft: index - 1,
        Home: 0,
        End: -1,
      };
      const next = tabs.at(nextByKey[event.key] ?? tabs.length);
      if (!next) return;
      event.preventDefault();
      select(next);
      next.focus();
    });
  }
}
