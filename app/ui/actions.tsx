import type { ReactNode } from "react";
import "./actions.css";

/** Buttons and links that follow a page's first words. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="actions">{children}</div>;
}
