import type { RequestListener } from "node:http";

/** A form takes a tenth of that where nobody else asks for anything; who sends it by the drop is not waited for. */
const formTakesMs = 200;

export type FormsFirst = {
  /** Whether a form is being taken in, so that dear work had better not begin just now. */
  isFormUnderWay(): boolean;
  /** Answers the same, and knows of the forms among it. */
  watch(answer: RequestListener): RequestListener;
};

/**
 * Knows of the forms that are being taken in. A form is many short rounds of the event loop, and where each of them begins
 * with a search or a page made anew, it lasts as long as all of these.
 */
export function watchForms(now: () => number = () => performance.now()): FormsFirst {
  let underWay = 0;
  let lastBegunAt = Number.NEGATIVE_INFINITY;
  return {
    isFormUnderWay: () => underWay > 0 && now() - lastBegunAt < formTakesMs,
    watch: (answer) => (request, response) => {
      if (request.method === "POST") {
        underWay += 1;
        lastBegunAt = now();
        response.once("close", () => {
          underWay -= 1;
        });
      }
      answer(request, response);
    },
  };
}
