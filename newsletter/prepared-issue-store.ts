import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import type { BodyStore } from "#issue-body/prepared-bodies.ts";
import type { ReadArchive } from "./archive-reads.ts";
import { isStoredSo, savePreparedIssue } from "./save-prepared-issue.ts";

/** Where prepared bodies are kept: beside the issues. */
export function createPreparedIssueStore(
  db: Kysely<Database>,
  readArchive: ReadArchive = (work) => work(db),
): BodyStore {
  return {
    async find(issueId, key) {
      const row = await readArchive((archive) =>
        archive
          .selectFrom("prepared_issues")
          .select(["html", "plain_text as plainText"])
          .where("issue_id", "=", issueId)
          .where("body_key", "=", key)
          .executeTakeFirst(),
      );
      return row ?? null;
    },
    async save(issue, key, body) {
      await db.transaction().execute(async (trx) => {
        if (await isStoredSo(trx, issue)) await savePreparedIssue(trx, issue, key, body);
      });
    },
  };
}
