import { useEffect } from "react";
import { useBlocker } from "react-router";
import { ask, isWritten } from "./ui.tsx";

/** Asks before a page with unsaved words is left, by a link or with the window. */
export function useAskBeforeLeaving(isUnsaved: () => boolean, question: string): void {
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      from.pathname + from.search !== to.pathname + to.search && isUnsaved(),
  );
  useEffect(() => {
    if (blocker.state !== "blocked") return;
    void ask(question, { textContent: "Leave it", className: "button main" }).then((isSure) =>
      isSure ? blocker.proceed() : blocker.reset(),
    );
  }, [blocker, question]);
  useEffect(() => {
    const ask = (event: Event) => isUnsaved() && event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  });
}

/** The same for a page whose forms hold what they didn't come with. */
export function useAskBeforeLeavingForms(): void {
  useAskBeforeLeaving(isWritten, "What you wrote isn’t saved. Leave it?");
}
