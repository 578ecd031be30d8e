import { deskOf, type PageArgs } from "../desk-context.ts";
import { type Saved, saveForm } from "../save-draft-form.ts";

/** Saves a draft as its page does while one types. */
export async function action(args: PageArgs): Promise<Response> {
  const saved = await saveForm(deskOf(args), args);
  if (!saved.ok) return Response.json(saved);
  const { draft, judged } = saved;
  const answer: Saved = {
    ok: true,
    version: draft.version,
    savedAt: draft.saved_at,
    problems: judged.problems,
    notes: judged.notes,
  };
  return Response.json(answer);
}
