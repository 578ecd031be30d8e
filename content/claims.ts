import { headlineFigures } from "./headline-figures.ts";
import { about } from "./pages/about.ts";
import { contact, projectLength } from "./pages/contact.ts";
import { home } from "./pages/home.ts";
import { useCasePages } from "./site-pages.ts";

type Figure = { value?: string; label: string; source?: string };

const said = ({ value = "", label }: Figure) => `${value} ${label}`.trim();

/**
 * The figures that the site shows without a published source, by page. The firm must have evidence of each from before it
 * is shown (Competition Act, R.S.C. 1985, c. C-34, s. 74.01(1)(b)).
 */
export const figuresWithoutSource: readonly { path: string; figures: readonly string[] }[] = [
  {
    path: "/",
    figures: [`${headlineFigures.hoursSavedMonthly} saved per month`, ...home.doors.map(said)],
  },
  {
    path: "/pricing",
    figures: [
      `${headlineFigures.localBusinesses} served`,
      `${headlineFigures.auditReturn} potential found in a first audit`,
    ],
  },
  {
    path: "/newsletter",
    figures: [
      `${headlineFigures.manyBusinesses} read the newsletter`,
      `${headlineFigures.subscribers} newsletter subscribers`,
    ],
  },
  {
    path: "/about",
    figures: [`${headlineFigures.businesses} served`, ...about.results.cards.map(said)],
  },
  { path: contact.head.path, figures: [`${projectLength} in which most projects finish`] },
  ...useCasePages.map(({ head, figures, example }) => ({
    path: head.path,
    figures: [
      ...figures.items.filter(({ source }: Figure) => !source).map(said),
      ...example.results.map((result) => `${said(result)} (example)`),
    ],
  })),
];
