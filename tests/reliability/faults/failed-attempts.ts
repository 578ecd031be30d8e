import type { Scene } from "../scene.ts";

/** Whether a delivery has been tried in vain; `forGood`, one that isn't tried again unless the operator says so. */
export async function hasFailed(
  { inDatabase }: Scene,
  { forGood = false }: { forGood?: boolean } = {},
): Promise<boolean> {
  return await inDatabase(async ({ db }) => {
    const row = await db
      .selectFrom("outbox")
      .select("delivery_id")
      .where("delivered_at", "is", null)
      .where(forGood ? "failed_at" : "last_error", "is not", null)
      .executeTakeFirst();
    return row !== undefined;
  });
}
