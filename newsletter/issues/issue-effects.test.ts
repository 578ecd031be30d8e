import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { beginTestSends, queueTestSend } from "#tests/sends/queue-test-send.ts";
import { addSubscribers, subscriberAddress } from "#tests/sends/subscribers.ts";
import { signUp } from "#tests/visitors.ts";
import { unsubscribe } from "../subscribers/subscribe.ts";
import { readIssueEffects } from "./issue-effects.ts";

describeOnEachDatabase("issues", (database) => {
  test("say what came of each issue until the next, from the moment at which it went out", async () => {
    const { db } = database;
    await addSubscribers(db, 3);
    const first = new Date("2036-11-10T14:00:00.000Z");
    const second = new Date("2036-11-17T14:00:00.000Z");
    const leaves = (number: number, at: string) =>
      unsubscribe(
        { db, newsletterWebhookUrl: null, wakeOutbox() {}, clock: () => new Date(at) },
        { email: subscriberAddress(number) },
      );
    // On the day of the first issue, an hour before it.
    await signUp(db, "early@example.com", { at: new Date("2036-11-10T13:00:00.000Z") });
    await queueTestSend(db, { issueId: 1, beginsAt: first });
    await beginTestSends(database.open, first);
    const accepted = { state: "accepted", settled_at: first.toISOString() } as const;
    await db.updateTable("send_rows").set(accepted).execute();
    await db
      .updateTable("sends")
      .set({ state: "finished", ended_at: first.toISOString() })
      .execute();
    await leaves(0, "2036-11-11T14:00:00.000Z");
    await signUp(db, "late@example.com", { at: new Date("2036-11-12T14:00:00.000Z") });
    await queueTestSend(db, { issueId: 2, beginsAt: second });
    await beginTestSends(database.open, second);
    await leaves(1, "2036-11-18T14:00:00.000Z");

    const effects = await readIssueEffects(db, [1, 2]);
    expect(effects.get(1)).toMatchObject({ delivered: 3, refused: 0, left: 1 });
    expect(effects.get(2)).toMatchObject({ delivered: 0, refused: 0, left: 1 });
    await db.deleteFrom("sends").where("issue_id", "=", 2).execute();
    const day = { publish_date: "2036-11-17" };
    await db.updateTable("final_newsletters").set(day).where("id", "=", 2).execute();
    const unmailed = await readIssueEffects(db, [2]);
    expect(unmailed.get(2)).toMatchObject({ delivered: null, left: 1 });
  });
});
