import { deskOf, type PageArgs } from "../desk-context.ts";
import { saveForm } from "../save-draft-form.ts";

/** Saves a draft as its page does while one types. */
export async function action(args: PageArgs): Promise<Response> {
  const saved = await saveForm(deskOf(args), args);
  if (!saved.ok) return Response.json(saved);
  const { judged, draft, ...rest } = saved;
  return Response.json({ ...rest, problems: judged.problems, notes: judged.notes });
}
