import { expect, test } from "vitest";
import { checkStructuredData, readVocabulary } from "./schema-org.ts";

const vocabulary = readVocabulary();
const article = {
  "@context": "https://schema.org",
  "@type": "Article",
  "@id": "https://chalkline.example/newsletter/7#article",
  headline: "Time one quote",
  datePublished: "2026-11-16",
  author: { "@type": "Organization", "@id": "https://chalkline.example/#business", name: "Us" },
  isPartOf: { "@id": "https://chalkline.example/#website" },
};

function problemsOf(change: Record<string, unknown>) {
  return checkStructuredData({ ...article, ...change }, vocabulary);
}

test("the vocabulary is all there", () => {
  expect(vocabulary.propertiesOf("LocalBusiness")?.get("openingHoursSpecification")).toContain(
    "OpeningHoursSpecification",
  );
  expect(vocabulary.propertiesOf("DaySpa")?.has("telephone")).toBe(true);
  expect(vocabulary.isA("LocalBusiness", "Thing")).toBe(true);
  expect(vocabulary.isA("LocalBusiness", "CreativeWork")).toBe(false);
  expect(vocabulary.membersOf("DayOfWeek")).toContain("Monday");
});

test("nothing is wrong with an article", () => {
  expect(problemsOf({})).toEqual([]);
});

test.each<[string, Record<string, unknown>, RegExp]>([
  ["a property of another type", { openingHours: "Mo-Fr" }, /Article has no property openingHours/],
  ["a misspelt property", { headLine: "Time" }, /has no property headLine/],
  ["a type that doesn't exist", { "@type": "Artikle" }, /no type "Artikle"/],
  [
    "a node of a type that the property doesn't take",
    { author: { "@type": "Place" } },
    /not Place/,
  ],
  [
    "a wrong property deep inside",
    { author: { "@type": "Person", isbn: "1" } },
    /no property isbn/,
  ],
  ["an address without its origin", { url: "/newsletter/7" }, /Article\.url takes URL/],
  ["a date that is none", { datePublished: "16 November" }, /datePublished takes Date/],
  ["an empty text", { headline: "" }, /headline takes/],
  ["an empty list", { author: [] }, /empty list/],
  ["another context", { "@context": "http://schema.org" }, /@context/],
  ["a name that is no address", { "@id": "#article" }, /@id is no whole address/],
])("%s is found", (_what, change, problem) => {
  expect(problemsOf(change).join("\n")).toMatch(problem);
});

test("a day of the week that doesn't exist is found", () => {
  const hours = (dayOfWeek: string, opens: string) =>
    checkStructuredData(
      {
        "@context": "https://schema.org",
        "@type": "OpeningHoursSpecification",
        dayOfWeek,
        opens,
      },
      vocabulary,
    );
  expect(hours("Monday", "09:00")).toEqual([]);
  expect(hours("Moonday", "09:00")).toHaveLength(1);
  expect(hours("Monday", "9 AM")).toHaveLength(1);
});
