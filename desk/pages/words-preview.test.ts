import { expect, test } from "vitest";
import type { SiteWord } from "#settings/site-words.ts";
import { markWords, showMarks } from "./words-preview.ts";

const line = { label: "Text", kind: "line" } as const;
const sentence: SiteWord = {
  ...{ name: "/about#why", label: "Text", sentence: "", path: "/about", fields: { text: line } },
  ...{ value: { text: "A 90-day plan & more" }, over: "Why", changedAt: null, fault: null },
};
const team: SiteWord = {
  ...{ name: "team", label: "Team", sentence: "", path: "/about", changedAt: null, fault: null },
  fields: { name: line, portrait: { label: "Portrait", kind: "portrait" } },
  rows: { min: 1, max: 2, name: "Person" },
  value: [
    { id: "a", name: "", portrait: "" },
    { id: "", name: "Kim", portrait: "/pictures/x.jpg" },
  ],
};

test("each sentence of a page gets an element, also where the page tears it apart", () => {
  const { words, marked } = markWords([sentence, team]);
  const { text, over } = words["/about#why"] as { text: string; over: string };
  const [first, second] = words.team as { name: string; portrait: string }[];
  expect({ over, first, portrait: second?.portrait }).toEqual({
    over: "Why",
    first: { id: "a", name: "", portrait: "" },
    portrait: "/pictures/x.jpg",
  });
  const torn = text.replace("90-day", "<b>90-day</b>").replace("&", "&amp;");
  const page = `<head><title>${text}</title></head><body><img alt="${text}"><p>${torn}<!-- -->.</p><svg><text>${text}</text></svg><h3>${second?.name}</h3></body>`;
  const why = (shown: string) => `<span data-word="/about#why" data-field="0.text">${shown}</span>`;
  const plain = "A 90-day plan & more";
  expect(showMarks(page, marked)).toBe(
    `<head><title>${plain}</title></head><body><img alt="${plain}"><p>${why("A ")}<b>${why("90-day")}</b>${why(" plan &amp; more")}<!-- -->.</p><svg><text>${plain}</text></svg><h3><span data-word="team" data-field="1.name">Kim</span></h3></body>`,
  );
});
