import type { Page as Tab } from "@playwright/test";
import { visibleWords } from "./visible-words.ts";

type Node = Record<string, unknown>;

/** Types that schema.org puts under the general one, as far as a firm like this may choose them. */
const narrower: Record<string, string[]> = {
  LocalBusiness: ["LocalBusiness", "ProfessionalService"],
};

async function readStructuredData(tab: Tab): Promise<Node[]> {
  const blocks = await tab.locator('script[type="application/ld+json"]').allTextContents();
  return blocks.flatMap((block) => {
    const data = JSON.parse(block) as Node;
    return (data["@graph"] as Node[] | undefined) ?? [data];
  });
}

/** Null where an object of the type has the wanted properties, else the page's objects. */
export async function verifyStructuredData(
  tab: Tab,
  type: string,
  wanted: Record<string, unknown> = {},
): Promise<string | null> {
  const nodes = await readStructuredData(tab);
  const ofType = nodes.filter((node) =>
    [node["@type"]].flat().some((each) => (narrower[type] ?? [type]).includes(String(each))),
  );
  if (ofType.length === 0) return `types: ${nodes.map((node) => node["@type"])}`;
  return ofType.some((node) => holds(node, wanted)) ? null : JSON.stringify(ofType);
}

/** A FAQ: so many questions, each of them and its answer in the page's visible text. */
export async function verifyQuestions(tab: Tab, count: number): Promise<string | null> {
  const nodes = await readStructuredData(tab);
  const questions = nodes
    .filter((node) => node["@type"] === "FAQPage")
    .flatMap((node) => node.mainEntity as { name: string; acceptedAnswer: { text: string } }[]);
  if (questions.length !== count) return `${questions.length} questions in the structured data`;
  const text = visibleWords((await tab.locator("main").allInnerTexts()).join(" "));
  const unseen = questions
    .flatMap(({ name, acceptedAnswer }) => [name, acceptedAnswer.text])
    .filter((words) => !text.includes(visibleWords(words)));
  return unseen.length === 0 ? null : `not on the page: ${unseen.join(" | ")}`;
}

function holds(found: unknown, wanted: unknown): boolean {
  if (wanted instanceof RegExp) {
    return wanted.test(typeof found === "string" ? found : JSON.stringify(found ?? null));
  }
  if (typeof wanted !== "object" || wanted === null) return found === wanted;
  return Object.entries(wanted).every(([key, value]) => holds((found as Node)?.[key], value));
}
