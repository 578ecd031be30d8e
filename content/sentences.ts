import { headlineFigures } from "./headline-figures.ts";
import { about } from "./pages/about.ts";
import { contact } from "./pages/contact.ts";
import { home } from "./pages/home.ts";
import { newsletter } from "./pages/newsletter.ts";
import { pricing } from "./pages/pricing.ts";
import { useCases } from "./pages/use-cases.ts";
import { useCasePages } from "./site-pages.ts";
import { type Fact, siteFacts } from "./site-words.ts";
import { personalAssistants } from "./use-cases/personal-assistants.ts";

const pages = [
  ...[home, pricing, useCases, ...useCasePages, personalAssistants],
  ...[newsletter, about, contact],
];

/** The parts of a page's module that have sentences of the firm's own, and the keys of these. */
const sections =
  /^(head|heading|lede|intro|audience|hero|doors|process|deliverables|pay|questions|closing|prices|segments|why|informed|team|results|call|otherWays|weekly|join|byTrade|problems|benefits|example|edge|outlook|tellMe)$/;
const keys =
  /^(heading|capabilitiesHeading|title|lede|intro|audience|text|description|note|question|answer|paragraphs|includes|items)$/;
const headings = /^(heading|capabilitiesHeading|title|question)$/;

/** Exact in the specification. */
const fixed = new Set([
  ...["Identify", "Quantify", "Automate", "Scale", "Assessment", "Implementation"],
  ...["ROI Analysis", "Benchmarking", "Roadmap", "Workflow Design", "Trade Automation Audit"],
  ...["Free Consultation", "Audit Delivery", "Automation Partnership", "Scale & Support"],
  ...["Why Subscribe", "What You'll Learn Each Week", "Join {newsletter}", "The founding team"],
  ...["Map pain points", "Design targeted solutions", "Build and personalize"],
  ...["AI Tool Reviews", "Success Stories", "Quick Wins", "Live Chat", "WhatsApp", "Newsletter"],
  ...[contact.heading, contact.call.heading, contact.questions.heading, contact.otherWays.heading],
  ...contact.questions.items.map(({ text }) => text),
  contact.otherWays.items[2].text,
  // Read out alone.
  useCases.byTrade.heading,
]);

/** Claims, terms and names of the specification's, which stay in a sentence that has them. */
const kept = [
  ...Object.values(headlineFigures),
  ...["90-day", "30-minute", "24 hours", "1,000", "Coming Soon", "{newsletter}"],
];

/**
 * Every sentence that is the firm's own, by `/about#we-measure-before-we-cut`: its page and its first words. Nothing depends
 * on where it stands in the page's module, so a release that moves it leaves the owner's words on it.
 */
export const sentences: Readonly<Record<string, Fact>> = Object.fromEntries(pages.flatMap(factsOf));

function factsOf(page: (typeof pages)[number]): [string, Fact][] {
  const { path } = page.head;
  const lists = Object.values<Fact>(siteFacts).filter((fact) => fact.path === path && fact.at);
  const found = new Map<string, Fact>();

  function visit(value: unknown, at: string, key: string): void {
    if (typeof value === "string") {
      if (!keys.test(key) || fixed.has(value)) return;
      const name = `${path}#${slugOf(value)}`;
      if (!found.has(name)) found.set(name, sentenceFact(path, at, key, value));
    } else if (value && typeof value === "object") {
      for (const [inner, item] of Object.entries(value)) {
        const innerAt = at ? `${at}.${inner}` : inner;
        // A list's own form has these.
        if (lists.some((list) => list.at === innerAt && !("price" in list.fields))) continue;
        if (at === "" && !sections.test(inner)) continue;
        visit(item, innerAt, /^\d+$/.test(inner) ? key : inner);
      }
    }
  }
  visit(page, "", "");
  return [...found];
}

function sentenceFact(path: string, at: string, key: string, usual: string): Fact {
  const phrases = kept.filter((phrase) => usual.includes(phrase));
  const isHead = at.startsWith("head.");
  const searched = `The page’s ${key} for search engines`;
  const label = isHead ? searched : headings.test(key) ? "Heading" : "Text";
  const room = headings.test(key)
    ? Math.max(40, usual.length + 16)
    : Math.max(120, usual.length * 1.4);
  const max = isHead ? (key === "title" ? 60 : 160) : Math.ceil(room / 10) * 10;
  return {
    label,
    sentence: "",
    path,
    usual: { text: plain(usual) },
    over: usual,
    fields: {
      text: {
        label,
        kind: "line",
        max,
        ...(usual.includes("{") && { placeholders: ["newsletter"] }),
      },
    },
    refuse({ text }: { text: string }) {
      const lost = phrases.find((phrase) => !text.includes(plain(phrase)));
      return lost ? `It must keep the words “${plain(lost)}”, which other pages have too.` : null;
    },
  };
}

/** Spaces that don't break are the delivered words' alone. */
function plain(text: string): string {
  return text.replaceAll("\u00a0", " ");
}

function slugOf(text: string): string {
  const words =
    plain(text)
      .toLowerCase()
      .replaceAll("’", "")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, 8).join("-");
}
