import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { beginTestSends, queueTestSend } from "#tests/sends/queue-test-send.ts";
import { addSubscribers, subscriberAddress } from "#tests/sends/subscribers.ts";
import { signUp } from "#tests/visitors.ts";
import { unsubscribe } from "../subscribers/subscribe.ts";
import { readIssueEffects } from "./sends.ts";

describeOnEachDatabase("issues", (database) => {
  test("say what came of each issue until the next, from the moment at which it went out", async () => {
    const { db } = database;
    await addSubscribers(db, 3);
    const [first, second, now] = ["10", "17", "20"].map(
      (day) => new Date(`2036-11-${day}T14:00:00.000Z`),
    ) as [Date, Date, Date];
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

    const effects = await readIssueEffects(db, { now, limit: 12 });
    expect(effects).toEqual([
      { id: 2, joined: 0, left: 1, delivered: 0 },
      { id: 1, joined: 1, left: 1, delivered: 3 },
    ]);
    await db.deleteFrom("sends").where("issue_id", "=", 2).execute();
    const [unmailed] = await readIssueEffects(db, { now, limit: 1 });
    expect(unmailed).toMatchObject({ delivered: null, left: 2 });
  });
});
