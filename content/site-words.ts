import { headlineFigures } from "./headline-figures.ts";
import { hours } from "./hours.ts";
import { busyWords } from "./notices.ts";
import type { FactName } from "./own-words.ts";
import { about } from "./pages/about.ts";
import { home } from "./pages/home.ts";
import { pricing } from "./pages/pricing.ts";
import { footer, newsletterName } from "./site.ts";
import { team } from "./team.ts";

export type WordField = {
  label: string;
  /**
   * One line, several lines, a time as `HH:MM`, the days of the week as a list of their names, or the path of a stored square
   * picture, empty for none.
   */
  kind: "line" | "lines" | "time" | "days" | "portrait";
  /** In characters, for the first two kinds. */
  max?: number;
  isOptional?: true;
  /** The only `{names}` that the text may have, each replaced when it is shown. */
  placeholders?: readonly string[];
};

/** What a placeholder says, for who writes. */
export const standsFor: Record<string, string> = {
  newsletter: "is the newsletter’s name",
  when: "is the wait",
  email: "is your address",
  phone: "is your telephone",
};

export type Fact = {
  label: string;
  sentence: string;
  path: string;
  /** As the modules of content/ have it; a list of rows with ids where `rows` is set. */
  usual: object;
  /** Its place in the page's module, such as `questions.items`. */
  at?: string;
  /** For a sentence: as the page's module has it, with spaces that don't break. */
  over?: string;
  fields: Readonly<Record<string, WordField>>;
  /** How many rows a list has, and what one is called; each by its own name where they don't change. */
  rows?: { min: number; max: number; name: string; names?: readonly string[] };
  /** A rule that a field can't state: a sentence where the value breaks it. */
  refuse?: (value: never) => string | null;
};

const questionFields = {
  question: { label: "Question", kind: "line", max: 120 },
  answer: { label: "Answer", kind: "lines", max: 600 },
} as const satisfies Fact["fields"];

const busyFields = { kind: "lines", max: 300, placeholders: ["when", "email", "phone"] } as const;

/**
 * The facts that the owner changes on the desk, without a build. Whatever shows one reads it through `ownWords`. What the
 * specification fixes isn't among them, or is held by a rule: the number of questions, the claims in them, the free call.
 */
export const siteFacts = {
  hours: {
    label: "Opening hours",
    sentence:
      "The days on which somebody answers, and from when to when in Toronto's time. On the contact page, beside the telephone, in the booking and for search engines.",
    path: "/contact",
    usual: hours,
    fields: {
      days: { label: "Days", kind: "days" },
      opens: { label: "Opens", kind: "time" },
      closes: { label: "Closes", kind: "time" },
    },
    refuse: ({ opens, closes }: { opens: string; closes: string }) =>
      opens < closes ? null : "It must close later than it opens.",
  },
  prices: {
    label: "Prices",
    sentence: "The prices of the three offers, and the line under each, on the pricing page.",
    path: "/pricing",
    usual: pricing.prices.cards,
    at: "prices.cards",
    fields: {
      price: { label: "Price", kind: "line", max: 24 },
      terms: { label: "Line under it", kind: "line", max: 80 },
    },
    rows: {
      ...count(pricing.prices.cards),
      name: "Offer",
      names: pricing.prices.cards.map(({ title }) => title),
    },
    refuse: ([call]: { price: string }[]) =>
      call?.price === pricing.prices.cards[0].price
        ? null
        : `The consultation's price stays ${pricing.prices.cards[0].price}: the whole site calls it free.`,
  },
  "home-questions": {
    label: "Questions on the home page",
    sentence: "Questions that people ask before a first call, with their answers.",
    path: "/",
    usual: home.questions.items,
    at: "questions.items",
    fields: questionFields,
    rows: questionRows(home.questions.items),
  },
  "pricing-questions": {
    label: "Questions about the bill",
    sentence: "Questions and answers on the pricing page.",
    path: "/pricing",
    usual: pricing.questions.items,
    at: "questions.items",
    fields: questionFields,
    rows: questionRows(pricing.questions.items),
    refuse: (items: { answer: string }[]) =>
      items.some(({ answer }) => answer.includes(headlineFigures.localBusinesses))
        ? null
        : `One of the answers must keep the words “${headlineFigures.localBusinesses}”.`,
  },
  "about-questions": {
    label: "Questions about us",
    sentence: "Questions and answers on the About page.",
    path: "/about",
    usual: about.questions.items,
    at: "questions.items",
    fields: questionFields,
    rows: questionRows(about.questions.items),
  },
  team: {
    label: "Founding team",
    sentence:
      "Who is on the team and what each one answers for, on the About page. Without a name, the role shows alone.",
    path: "/about",
    usual: team,
    fields: {
      name: { label: "Name", kind: "line", max: 60, isOptional: true },
      role: { label: "Role", kind: "line", max: 60 },
      does: { label: "What they do", kind: "lines", max: 300 },
      portrait: { label: "Portrait", kind: "portrait", isOptional: true },
    },
    rows: { min: 1, max: 6, name: "Person" },
  },
  newsletter: {
    label: "The newsletter's name",
    sentence:
      "Its name on every page, in every mail and feed, and in the consent that people give.",
    path: "/newsletter",
    usual: { name: newsletterName },
    fields: { name: { label: "Name", kind: "line", max: 30 } },
  },
  busy: {
    label: "Notices while very many people write",
    sentence:
      "What a visitor reads who is asked to send a form again later. {when}, {email} and {phone} stand for the wait and the ways to reach you.",
    path: "/contact",
    usual: busyWords,
    fields: {
      message: { label: "Contact form", ...busyFields },
      signUp: { label: "Newsletter sign-up", ...busyFields },
    },
  },
  footer: {
    label: "At the foot of every page",
    sentence: "What the firm does, in a sentence. Search engines read it too.",
    path: "/",
    usual: { description: footer.description },
    fields: { description: { label: "Description", kind: "lines", max: 180 } },
  },
} as const satisfies Record<FactName, Fact>;

/** As many as the specification has, and room for a few of the owner's. */
function questionRows({ length }: readonly unknown[]) {
  return { min: length, max: length + 4, name: "Question" };
}

function count({ length }: readonly unknown[]) {
  return { min: length, max: length };
}
