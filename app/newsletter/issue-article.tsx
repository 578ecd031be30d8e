import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from "react";
import type { ShownIssue } from "./issues.ts";

type IssueArticleProps = {
  issue: ShownIssue;
  header: ReactNode;
};

/** An issue's text. The server made the body safe when it read the database. */
export function IssueArticle({ issue, header }: IssueArticleProps) {
  const { html } = issue;
  const body = useRef<HTMLDivElement>(null);
  useStyles(body, html);
  useWordsOfMissingPictures(body, html);
  return (
    <article className="issue-article">
      <header>{header}</header>
      <div
        className="issue-body below"
        ref={body}
        suppressHydrationWarning
        // biome-ignore lint/security/noDangerouslySetInnerHtml: prepared by prepareIssueBody, an allowlist that a body can't leave.
        dangerouslySetInnerHTML={{ __html: import.meta.env.SSR ? html : withStylesAsData(html) }}
      />
    </article>
  );
}

/** Every `<` of a prepared body's text and every quotation mark in its attributes is escaped. */
const openingTag = /<[a-z][a-z0-9]*(?: [a-z-]+="[^"]*")+>/g;

function withStylesAsData(html: string): string {
  return html.replace(openingTag, (tag) => tag.replace(' style="', ' data-style="'));
}

/**
 * After a client-side navigation, the first page's policy refuses style attributes in markup, but lets a script set
 * styles. This does so before the body is painted.
 */
function useStyles(body: RefObject<HTMLElement | null>, html: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another body is other elements in the same place.
  useLayoutEffect(() => {
    for (const element of body.current?.querySelectorAll<HTMLElement>("[data-style]") ?? []) {
      element.style.cssText = element.dataset.style ?? "";
      delete element.dataset.style;
    }
  }, [body, html]);
}

/**
 * Replaces a broken picture by its alternative text. WebKit shows that only if it fits on one line; the other engines
 * draw a similar box (paper.css).
 */
function useWordsOfMissingPictures(body: RefObject<HTMLElement | null>, html: string) {
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
