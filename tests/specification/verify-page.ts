import type { Locator, Page as Tab } from "@playwright/test";
import { formatLongDate } from "#content/toronto-time.ts";
import { type Expectation, patternOf, visibleWords, type Words } from "./expectations.ts";

/** Looks for what a page must show, in its HTML as the server made it. Null where it's there, else what is instead. */
export async function verifyPage(
  tab: Tab,
  expectation: Expectation,
  status: number,
): Promise<string | null> {
  const scope = tab.locator(places[expectation.within ?? "main"]);
  if ("status" in expectation) return status === expectation.status ? null : `status ${status}`;
  if ("text" in expectation) return verifyText(scope, expectation.text);
  if ("inOrder" in expectation) return verifyOrder(scope, expectation.inOrder);
  if ("heading" in expectation) {
    const { heading, level } = expectation;
    const found = await textsOf(scope.getByRole("heading", { level }));
    return found.some((text) => patternOf(heading).test(text)) ? null : `headings: ${found}`;
  }
  if ("headings" in expectation) {
    const found = await textsOf(scope.locator(`h${expectation.level}`));
    return matchesEach(found, expectation.headings) ? null : `${found.length} headings: ${found}`;
  }
  if ("link" in expectation) return verifyLink(scope, expectation);
  if ("notALink" in expectation) {
    const found = await textsOf(scope.getByRole("link"));
    return found.some((text) => patternOf(expectation.notALink).test(text)) ? "a link" : null;
  }
  if ("linksUnder" in expectation) {
    const found = await hrefsOf(scope.locator(`a[href^="${expectation.linksUnder}"]`));
    const unlike = new Set(found).symmetricDifference(new Set(expectation.to));
    return unlike.size === 0 ? null : `missing or too many: ${[...unlike]}`;
  }
  if ("button" in expectation) {
    const found = await textsOf(scope.getByRole("button"));
    return found.some((text) => patternOf(expectation.button).test(text)) ? null : `${found}`;
  }
  if ("rowOf" in expectation) return verifyRow(scope, expectation.rowOf);
  if ("listUnder" in expectation) return verifyList(scope, expectation);
  if ("breadcrumb" in expectation) {
    const found = await textsOf(scope.locator("nav[aria-label=Breadcrumb] li"));
    return matchesEach(found, expectation.breadcrumb) ? null : `breadcrumb: ${found}`;
  }
  if ("field" in expectation) return verifyField(scope, expectation);
  if ("choices" in expectation) {
    const found = await textsOf(scope.locator(`select[name="${expectation.choices}"] option`));
    return matchesEach(found, expectation.labels) ? null : `${found.length} choices: ${found}`;
  }
  if ("datedToday" in expectation) {
    // The page may have been made on the other side of midnight.
    const days = [0, midnightGraceMs].map((ago) => formatLongDate(new Date(Date.now() - ago)));
    return verifyText(scope, new RegExp(`${expectation.datedToday}:? (${days.join("|")})`));
  }
  if ("lacks" in expectation) {
    return (await verifyText(scope, expectation.lacks)) === null ? "it is there" : null;
  }
  if ("select" in expectation) {
    const options = await scope
      .locator(`select[name="${expectation.select}"] option`)
      .evaluateAll((all) => (all as HTMLOptionElement[]).map(({ value, text }) => [value, text]));
    const found = options.filter(([value]) => value !== "");
    return JSON.stringify(found) === JSON.stringify(expectation.options) ? null : `${found}`;
  }
  if ("questions" in expectation) return verifyQuestions(tab, expectation.questions);
  if ("structuredData" in expectation) {
    return verifyStructuredData(tab, expectation.structuredData, expectation.has);
  }
  const found = await tab
    .locator(`meta[name="${expectation.meta}"]`)
    .evaluateAll((all) => all.map((meta) => meta.getAttribute("content") ?? ""));
  const contents = expectation.meta === "title" ? [await tab.title()] : found;
  return contents.length === 1 && contents[0] ? null : `${contents.length} in the head`;
}

const midnightGraceMs = 60_000;

const places = { header: "body > header", main: "main", footer: "body > footer", page: "html" };

async function verifyText(scope: Locator, wanted: Words | readonly Words[]) {
  const words = visibleWords((await scope.allInnerTexts()).join(" "));
  const missing = [wanted].flat().filter((each) => !patternOf(each as Words).test(words));
  return missing.length === 0 ? null : `not in the text: ${missing.join(", ")}`;
}

async function verifyOrder(scope: Locator, wanted: readonly Words[]) {
  let rest = visibleWords(await scope.evaluate((element) => element.textContent ?? ""));
  for (const each of wanted) {
    const found = patternOf(each).exec(rest);
    if (!found) return `not there, or not in its place: ${each}`;
    rest = rest.slice(found.index + found[0].length);
  }
  return null;
}

async function verifyLink(scope: Locator, wanted: Extract<Expectation, { link: Words }>) {
  const { link, to, inNewTab = false } = wanted;
  const links = await scope.getByRole("link").evaluateAll((all) =>
    (all as HTMLAnchorElement[]).map((element) => ({
      // biome-ignore lint/performance/useDomNodeTextContent: what is rendered counts, with its spaces.
      text: element.innerText,
      href: element.getAttribute("href") ?? "",
      opensTab: element.target === "_blank",
    })),
  );
  const named = links.filter(({ text }) => patternOf(link).test(visibleWords(text)));
  const isThere = named.some(
    ({ href, opensTab }) =>
      (typeof to === "string" ? href === to : to.test(href)) && opensTab === inNewTab,
  );
  return isThere ? null : `links of this name: ${JSON.stringify(named)}`;
}

/** An element whose children hold the wanted words, child by child. */
async function verifyRow(scope: Locator, wanted: readonly (Words | readonly Words[])[]) {
  const apart = (words: Words): Words[] =>
    typeof words === "string" ? words.split(" … ") : [words];
  const patterns = wanted.map((each) => ([each].flat() as Words[]).flatMap(apart).map(patternOf));
  const groups = await scope.locator("*").evaluateAll(
    (all, count) =>
      all
        .filter(({ children }) => children.length === count)
        .map(({ children }) =>
          // biome-ignore lint/performance/useDomNodeTextContent: what is rendered counts, with its spaces.
          [...children].map((child) => (child as HTMLElement).innerText ?? ""),
        ),
    wanted.length,
  );
  const isThere = groups.some((texts) =>
    patterns.every((needed, at) => needed.every((one) => one.test(visibleWords(texts[at] ?? "")))),
  );
  if (isThere) return null;
  const first = patterns[0]?.[0];
  const near = groups.filter(([text]) => first?.test(visibleWords(text ?? "")));
  return `no element with exactly these ${wanted.length}; nearest: ${JSON.stringify(near.at(-1) ?? "none")}`;
}

async function verifyList(scope: Locator, wanted: Extract<Expectation, { listUnder: Words }>) {
  const headings = scope.getByRole("heading");
  const at = (await textsOf(headings)).findIndex((text) => patternOf(wanted.listUnder).test(text));
  if (at < 0) return "there is no such heading";
  const list = headings.nth(at).locator("xpath=following::*[self::ul or self::ol][1]/li");
  const found = await textsOf(list);
  return matchesEach(found, wanted.items) ? null : `${found.length} items: ${found.join(" | ")}`;
}

async function verifyField(scope: Locator, wanted: Extract<Expectation, { field: string }>) {
  const field = scope.locator(`[name="${wanted.field}"]`);
  if ((await field.count()) !== 1) return `${await field.count()} fields of this name`;
  const { labels, type, isRequired, minHeight } = await field.evaluate((element) => {
    const input = element as HTMLInputElement;
    return {
      labels: [...(input.labels ?? [])].map((label) => label.textContent).join(" "),
      type: input.type,
      isRequired: input.required || input.ariaRequired === "true",
      minHeight: Number.parseFloat(getComputedStyle(input).minHeight),
    };
  });
  if (!patternOf(wanted.labelled).test(visibleWords(labels))) return `labelled ${labels}`;
  if (wanted.type && wanted.type !== type) return `of type ${type}`;
  if (wanted.required !== undefined && wanted.required !== isRequired) {
    return isRequired ? "it is required" : "it is not required";
  }
  if (wanted.minHeightPx && minHeight !== wanted.minHeightPx) return `${minHeight} px`;
  return null;
}

async function hrefsOf(links: Locator): Promise<string[]> {
  return links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
}

async function textsOf(elements: Locator): Promise<string[]> {
  return (await elements.allInnerTexts()).map(visibleWords);
}

function matchesEach(found: readonly string[], wanted: readonly Words[]): boolean {
  return (
    found.length === wanted.length &&
    wanted.every((words, index) => patternOf(words).test(found[index] ?? ""))
  );
}

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
async function verifyStructuredData(
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
async function verifyQuestions(tab: Tab, count: number): Promise<string | null> {
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
