import { useActionData } from "react-router";

/** The outcome of a form that was posted to the page without scripts, where it is this form's and not another's. */
export function usePostedOutcome<Outcome extends { form: string }>(
  form: Outcome["form"],
): Outcome | null {
  const posted = useActionData<Outcome | undefined>();
  return posted?.form === form ? (posted as Outcome) : null;
}
