import { createContext } from "react";
import type { ChoiceGroup } from "../archive/archive.ts";

/**
 * What the document being made holds as HTML, so that it is not in its data a second time: bodies of issues by their
 * ids, and the dropdown's options.
 */
export type DocumentParts = { bodies: Map<number, string>; choice: ChoiceGroup[] | null };

/** On the server, those of the document being made; in the browser there are none, since the page has them. */
export const PartsOfDocument = createContext<DocumentParts | null>(null);
