import { useContext } from "react";
import { PartsOfDocument } from "../issue/parts-of-document.ts";
import type { ListedIssue } from "./archive.ts";

/** The issues that came with the page, as they stood in its list. */
let newestOfPage: readonly ListedIssue[] | null = null;

/** The newest issues: from the loader's data, or, with the page's first data, from where they already are. */
export function useNewestIssues(newest: readonly ListedIssue[] | null): readonly ListedIssue[] {
  const parts = useContext(PartsOfDocument);
  if (newest) return newest;
  if (parts) return parts.newest ?? [];
  newestOfPage ??= readNewest();
  return newestOfPage;
}

/** Reads back what `IssueList` writes; its last line leads to all issues and has no number. */
function readNewest(): ListedIssue[] {
  return Array.from(document.querySelectorAll(".issue-list span"), (label) => {
    const link = label.parentElement?.querySelector("a");
    const [number = "", date = null] = label.textContent.slice(1).split(" \u2022 ");
    return {
      id: Number(link?.pathname.split("/").pop()),
      title: link?.textContent ?? "",
      number: Number(number),
      date,
    };
  });
}
