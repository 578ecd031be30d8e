import { data } from "react-router";

/** What a loader answers. Whatever isn't what was asked for is true for this moment only, so nobody keeps it. */
export function answerWith<Shown>(shown: Shown, status: number) {
  return data(shown, status === 200 ? 200 : { status, headers: { "Cache-Control": "no-store" } });
}
