import { setImmediate as nextTurn } from "node:timers/promises";
import { type IssueSearch, maxFoundIssues, type SearchTerm } from "#contracts/issue-search.ts";
import { indexedWords } from "#contracts/search-words.ts";
import type { ArchiveIndex } from "../newsletter/archive/archive-index.server.ts";
import {
  type BodiesAccess,
  type IssueHead,
  readerOfIssues,
} from "../newsletter/archive/issues-client.server.ts";

/** Issues whose bodies are searched too, the newest; of the others the titles are. */
const searchedBodies = 30;

/** Of a longer issue the beginning is searched, in UTF-16 code units. */
const searchedMaxLength = 40_000;

/** Titles that are read between two turns of other requests. */
const atOnce = 500;

/** A body that somebody has mended at the project is found by its new words after so long. */
const wordsMaxAgeMs = 60 * 60_000;

type Words = { title: string[]; body: string[]; text: string; readAt: number };

/** What is known of a head, for as long as the archive has it as it is. */
const wordsByHead = new WeakMap<IssueHead, Words>();

/**
 * Searches what a hosted project's issues say without an index there: every title, and the bodies of the newest, each read
 * once.
 */
export async function searchInMemory(
  access: BodiesAccess,
  archive: ArchiveIndex,
): Promise<IssueSearch> {
  for (const [position, head] of archive.heads.entries()) {
    if (position % atOnce === 0) await nextTurn();
    const readAt = performance.now();
    if (readAt - (wordsByHead.get(head)?.readAt ?? Number.NEGATIVE_INFINITY) < wordsMaxAgeMs)
      continue;
    const text = position < searchedBodies ? await textOf(access, head) : "";
    const [title, body] = [indexedWords(head.title), indexedWords(text)];
    wordsByHead.set(head, { title, body, text, readAt });
  }
  const { heads } = archive;
  const none: Words = { title: [], body: [], text: "", readAt: 0 };
  const idsWhere = (has: (words: Words) => boolean) =>
    heads
      .filter((head) => has(wordsByHead.get(head) ?? none))
      .slice(0, maxFoundIssues)
      .map(({ id }) => id);
  return {
    async find({ groups, combine }) {
      const has = (words: readonly string[]) => {
        const hasGroup = (group: SearchTerm[]) => group.some((term) => hasTerm(words, term));
        return combine === "all" ? groups.every(hasGroup) : groups.some(hasGroup);
      };
      return {
        inTitle: idsWhere(({ title }) => has(title)),
        anywhere: idsWhere(({ title, body }) => has([...title, ...body])),
      };
    },
    closestWords: async () => [],
    withoutWords: async () => [],
    async texts(ids) {
      const wanted = new Set(ids);
      return new Map(
        heads
          .filter(({ id }) => wanted.has(id))
          .map((head) => [head.id, wordsByHead.get(head)?.text ?? ""]),
      );
    },
  };
}

function hasTerm(words: readonly string[], { word, isPrefix }: SearchTerm): boolean {
  return words.some((own) => (isPrefix ? own.startsWith(word) : own === word));
}

async function textOf(access: BodiesAccess, { id }: IssueHead): Promise<string> {
  const issue = await readerOfIssues(access).issue(id);
  if (!issue) return "";
  const { plainText } = await access.preparedBodyOf(issue);
  return plainText.slice(0, searchedMaxLength);
}
