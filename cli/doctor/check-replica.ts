import { describeCauses } from "#db/describe-causes.ts";
import { openPostgres } from "#db/open-postgres.ts";
import { readArchiveVersion } from "#newsletter/archive.ts";
import type { Config } from "#server/settings.ts";
import type { Finding } from "./finding.ts";

const about = "Replica";

/** Whether the archive can be read from the replica; nothing where none is set. */
export async function checkReplica({
  databaseReadUrl,
}: Pick<Config, "databaseReadUrl">): Promise<Finding[]> {
  if (databaseReadUrl === null) return [];
  const replica = await openPostgres(databaseReadUrl, () => {});
  try {
    await readArchiveVersion(replica.db);
    return [{ about, state: "ok", message: `${replica.location} answers.` }];
  } catch (error) {
    const message = `can't be read, so everything is read from DATABASE_URL: ${describeCauses(error)}`;
    const advice = "Check DATABASE_READ_URL, and that the replica is running.";
    return [{ about, state: "attention", message, advice }];
  } finally {
    await replica.close();
  }
}
