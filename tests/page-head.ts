import { type DefaultTreeAdapterTypes, parse } from "parse5";

export type PageHead = {
  title: string;
  metas: ReadonlyMap<string, string[]>;
  links: { rel: string; href: string; type?: string; sizes?: string }[];
  structuredData: Record<string, unknown>[];
};

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

export function readPageHead(html: string): PageHead {
  const elements = elementsOf(html);
  const named = (tagName: string) => elements.filter((element) => element.tagName === tagName);
  const metas = new Map<string, string[]>();
  for (const meta of named("meta").map(attributesOf)) {
    const key = meta.name ?? meta.property;
    if (key) metas.set(key, [...(metas.get(key) ?? []), meta.content ?? ""]);
  }
  return {
    // Drawings have titles too, so this is the document's own.
    title: named("title").filter(isInHead).map(textOf).join(""),
    metas,
    links: named("link")
      .map(attributesOf)
      .map(({ rel = "", href = "", type, sizes }) => ({ rel, href, type, sizes })),
    structuredData: named("script")
      .filter((script) => attributesOf(script).type === "application/ld+json")
      .map((script) => JSON.parse(textOf(script))),
  };
}

export const elementsOf = (html: string): Element[] => elementsBelow(parse(html));

function elementsBelow(node: Node): Element[] {
  if (!("childNodes" in node)) return [];
  return node.childNodes.flatMap((child) => [
    ...("tagName" in child ? [child] : []),
    ...elementsBelow(child),
  ]);
}

function isInHead({ parentNode }: Element): boolean {
  return parentNode !== null && parentNode.nodeName === "head";
}

export function attributesOf(element: Element): Partial<Record<string, string>> {
  return Object.fromEntries(element.attrs.map(({ name, value }) => [name, value]));
}

function textOf(node: Node): string {
  if ("value" in node && node.nodeName === "#text") return node.value;
  return "childNodes" in node ? node.childNodes.map(textOf).join("") : "";
}
