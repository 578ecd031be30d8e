import { createContext } from "react";
import type { ChoiceGroup, ListedIssue } from "../archive/archive.ts";

/**
 * What the document being made holds as HTML, so that it is not in its data a second time: bodies of issues by their
 * ids, the dropdown's options and the newest issues.
 */
export type DocumentParts = {
  bodies: Map<number, string>;
  choice: ChoiceGroup[] | null;
  newest: ListedIssue[] | null;
};

/** On the server, those of the document being made; in the browser there are none, since the page has them. */
export const PartsOfDocument = createContext<DocumentParts | null>(null);
