import { useState, useSyncExternalStore } from "react";
import { OwnStyles } from "./own-styles.tsx";

/**
 * Styles of what stands far below a page's first screens. In the page they are a link at this place: what stands before it
 * is painted without them, and what comes after it waits for them. On a page that is opened by script they come before it
 * is shown.
 *
 * @param href The styles' address, as `import address from "./x.css?url"` gives it.
 */
export function LateStyles({ href }: { href: string }) {
  const [cameWithPage] = useState(useIsPageOfServer());
  return cameWithPage ? (
    <link rel="stylesheet" href={href} fetchPriority="low" />
  ) : (
    <OwnStyles href={href} />
  );
}

/** Whether what is drawn now is drawn by the server, or taken over from it. */
function useIsPageOfServer(): boolean {
  return useSyncExternalStore(
    neverChanges,
    () => false,
    () => true,
  );
}

function neverChanges() {
  return () => {};
}
