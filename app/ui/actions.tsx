import type { ReactNode } from "react";

/** Buttons and links that follow a page's first words. A page that has them imports `actions.css`, as with breadcrumbs. */
export function Actions({ children }: { children: ReactNode }) {
  return <div className="actions">{children}</div>;
}
