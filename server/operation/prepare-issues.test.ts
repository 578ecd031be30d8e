import pino from "pino";
import { expect, onTestFinished, test } from "vitest";
import { preparedBodyKey } from "#issue-body/rules-version.ts";
import { reviseIssue } from "#newsletter/revise-issue.ts";
import { savePreparedIssue } from "#newsletter/save-prepared-issue.ts";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { createIssuePreparing } from "./prepare-issues.ts";

describeOnEachDatabase(
  "a running server",
  (database) => {
    test("prepares what came, and what was revised since, before anybody asks for it", async () => {
      const { db } = database;
      const prepared: string[] = [];
      const preparing = createIssuePreparing({
        db,
        log: pino({ level: "silent" }),
        async prepareNow(issue) {
          const body = { html: issue.content_markdown, plainText: "" };
          prepared.push(body.html);
          await savePreparedIssue(db, issue, preparedBodyKey(body.html), body);
          return { ...body, isWhole: true };
        },
      });
      onTestFinished(preparing.stop);
      const values = { title: "One", content_markdown: "First", publish_date: "2026-11-20" };
      await db.insertInto("final_newsletters").values(values).execute();
      preparing.start();
      await expect.poll(() => prepared).toEqual(["First"]);
      const change = { from: "First", to: "Second", pictures: [], kept: [], now: new Date() };
      expect(await reviseIssue(db, { id: 1, ...change })).toBe(true);
      await expect.poll(() => prepared).toEqual(["First", "Second"]);
    });
  },
  { kinds: ["sqlite"] },
);
