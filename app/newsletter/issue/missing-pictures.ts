import { type RefObject, useEffect } from "react";

/**
 * Puts a picture's words in place of one that can't be had. WebKit writes them only where they have room in one line above
 * the sign that it draws for the picture, and draws no frame around them; what the other engines do by themselves is
 * much the same box (rich-issue.css), so that it is there without scripts.
 */
export function useWordsOfMissingPictures(body: RefObject<HTMLElement | null>, html: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another body is other pictures in the same place.
  useEffect(() => {
    for (const picture of body.current?.querySelectorAll("img") ?? []) {
      picture.onerror = () => {
        const words = document.createElement("span");
        words.className = "issue-missing";
        words.textContent = picture.alt;
        if (words.textContent.trim()) picture.replaceWith(words);
      };
      if (picture.complete && !picture.naturalWidth) picture.onerror("");
    }
  }, [body, html]);
}
