import { headlineFigures } from "./headline-figures.ts";
import { about } from "./pages/about.ts";
import { contact, projectLength } from "./pages/contact.ts";
import { useCasePages } from "./site-pages.ts";
import type { SourceId } from "./sources.ts";
import type { UseCaseFigure } from "./use-case.ts";

/** A figure that the site shows: what it claims, on which page, and its evidence. */
type Claim = {
  figure: string;
  says: string;
  path: string;
  /**
   * A published figure has its source beside it. For its own, the firm must have evidence from before it is shown
   * (Competition Act, R.S.C. 1985, c. C-34, s. 74.01(1)(b)).
   */
  origin: { kind: "published"; source: SourceId } | { kind: "own" };
};

/** Every figure that claims results, for the operator's `doctor`; pages show the figures themselves. */
export const claims: readonly Claim[] = [
  own(headlineFigures.hoursSavedMonthly, "saved per month", "/"),
  own(headlineFigures.businesses, "served", "/about"),
  own(headlineFigures.localBusinesses, "served", "/pricing"),
  own(headlineFigures.manyBusinesses, "read the newsletter", "/newsletter"),
  own(headlineFigures.auditReturn, "potential found in a first audit", "/pricing"),
  own(headlineFigures.subscribers, "newsletter subscribers", "/newsletter"),
  own(projectLength, "in which most projects finish", contact.head.path),
  ...about.results.cards.map(({ value, label }) => own(value, label, about.head.path)),
  ...useCasePages.flatMap(({ head, figures, example }) => [
    ...figures.items.map((figure) => measured(figure, head.path)),
    ...example.results.map(({ value, label }) => own(value, `${label} (example)`, head.path)),
  ]),
];

function own(figure: string, says: string, path: string): Claim {
  return { figure, says, path, origin: { kind: "own" } };
}

function measured({ value, label, source }: UseCaseFigure, path: string): Claim {
  if (!source) return own(value, label, path);
  return { figure: value, says: label, path, origin: { kind: "published", source } };
}
