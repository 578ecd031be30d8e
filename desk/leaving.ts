import { useEffect } from "react";
import { useBlocker } from "react-router";

/** Asks before a page with unsaved words is left, by a link (`blocks` says which) or with the window. */
export function useAskBeforeLeaving(
  isUnsaved: boolean,
  question: string,
  blocks: Parameters<typeof useBlocker>[0] = isUnsaved,
): void {
  const blocker = useBlocker(blocks);
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    if (window.confirm(question)) blocker.proceed();
    else blocker.reset();
  }, [blocker, question]);
  useEffect(() => {
    if (!isUnsaved) return;
    const ask = (event: Event) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isUnsaved]);
}
