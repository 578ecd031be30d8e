import { deskOf, type PageArgs } from "../desk-context.ts";
import { judge, type Saved, saveForm } from "../save-draft-form.ts";

export async function action(args: PageArgs): Promise<Response> {
  const desk = deskOf(args);
  const saved = await saveForm(desk, args, await args.request.formData());
  if (!saved.ok) return Response.json(saved satisfies Saved);
  const { version, saved_at: savedAt } = saved.draft;
  const { problems, notes } = await judge(desk, saved.draft);
  return Response.json({ ok: true, version, savedAt, problems, notes } satisfies Saved);
}
