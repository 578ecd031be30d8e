import { claims } from "#content/claims.ts";
import type { Finding } from "./finding.ts";

/**
 * The figures that the site shows as the firm's own, as one finding: advertisers need evidence of a result from before
 * they show it (Competition Act, R.S.C. 1985, c. C-34, s. 74.01(1)(b)).
 */
export function checkClaims(): Finding {
  const own = claims.filter(({ origin }) => origin.kind === "own");
  const byPage = Map.groupBy(own, ({ path }) => path);
  const lines = [...byPage].map(
    ([path, figures]) =>
      `${path}: ${figures.map(({ figure, says }) => `${figure} ${says}`).join("; ")}`,
  );
  return {
    about: "Claims",
    state: "note",
    message: `${own.length} figures on the site are the firm's own, and ${claims.length - own.length} name a published source.`,
    advice: `Keep evidence of each from before it is shown (Competition Act, s. 74.01), or change it in content/:\n    ${lines.join("\n    ")}`,
  };
}
