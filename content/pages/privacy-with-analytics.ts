import type { LegalClause, LegalDocument } from "../legal-document.ts";
import { privacy, readingClause } from "./privacy.ts";

const services = {
  plausible: { name: "Plausible Analytics", cookies: "It sets no cookies." },
  umami: { name: "Umami", cookies: "It sets no cookies." },
  ga4: {
    name: "Google Analytics",
    cookies:
      "It sets cookies whose names begin with _ga, by which Google recognizes your browser for up to two years.",
  },
} as const;

export function privacyWithAnalytics(kind: keyof typeof services): LegalDocument {
  const { name, cookies } = services[kind];
  const reading: LegalClause = {
    text: `When you only read: a script of ${name} comes with every page. It tells that service which page you read, which website or campaign you came from, and which browser and kind of device you use; your network address tells it roughly where you are. ${cookies} Where your browser asks not to be tracked (Do Not Track, Global Privacy Control), the script is not loaded.`,
  };
  const thirdParty = `Counting visits: ${name}. Its script comes with every page, unless your browser asks not to be tracked, and its own privacy policy applies to what it is told.`;
  return {
    ...privacy,
    lede: `What we know about you, why, for how long, and how to see, correct or delete it. Visits are counted by ${name}: sections 1 and 3 say how.`,
    sections: privacy.sections.map((section) => ({
      ...section,
      clauses: section.clauses.map((clause, at): LegalClause => {
        if (clause === readingClause) return reading;
        if (section.id !== "third-parties" || at > 0 || !clause.list) return clause;
        return { ...clause, list: [...clause.list, thirdParty] };
      }),
    })),
  };
}
