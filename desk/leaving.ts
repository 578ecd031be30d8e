import { useCallback, useEffect, useRef, useState } from "react";
import { useActionData, useBlocker } from "react-router";
import type { Answer } from "./ui.tsx";

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

/** The same for a page's forms that somebody has written in, each until its button's answer says that it is done. */
export function useAskBeforeLeavingForms(): void {
  const answer = useActionData<Answer>();
  const written = useRef(new Set<Element>());
  const sent = useRef<Element>(null);
  const [isUnsaved, setIsUnsaved] = useState(false);

  const look = useCallback(() => {
    for (const form of written.current) if (!form.isConnected) written.current.delete(form);
    setIsUnsaved(written.current.size > 0);
  }, []);
  useEffect(look);

  useEffect(() => {
    function listen({ type, target }: Event): void {
      const form = (target as Element).closest("main form[method=post]");
      if (!form) return;
      if (type === "submit") sent.current = form;
      else written.current.add(form);
      look();
    }
    document.addEventListener("input", listen);
    document.addEventListener("submit", listen);
    return () => {
      document.removeEventListener("input", listen);
      document.removeEventListener("submit", listen);
    };
  }, [look]);

  useEffect(() => {
    if (!answer?.ok || !sent.current) return;
    written.current.delete(sent.current);
    look();
  }, [answer, look]);

  useAskBeforeLeaving(
    isUnsaved,
    "What you wrote isn’t saved. Leave it?",
    ({ currentLocation: from, nextLocation: to }) => isUnsaved && from.pathname !== to.pathname,
  );
}
