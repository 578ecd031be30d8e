import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { endProcess } from "#tests/end-process.ts";
import { sendingEnvironment } from "#tests/sends/sending-environment.ts";
import { addSubscribers } from "#tests/sends/subscribers.ts";
import { startProgram } from "#tests/start-program.ts";
import { until } from "#tests/until.ts";
import { listSends } from "../sends/sends.ts";
import { listIssues } from "./issues.ts";
import { listPlans } from "./plans.ts";

const plans = 20;
const subscribers = 100;
const kills = 3;

describeOnEachDatabase("plans of a process that is killed again and again", (database) => {
  async function start() {
    const options = { settings: database.settings, environment: sendingEnvironment, plans };
    const words = ["tests/sends/planning-process.ts", JSON.stringify(options)];
    return (await startProgram(words, { PATH: process.env.PATH ?? "" }, /planning/)).child;
  }

  async function isDone() {
    const begun = await listSends(database.db, { limit: 2 * plans });
    return begun.length >= plans && begun.every(({ begunAt }) => begunAt !== null);
  }

  test("are each published once and sent once, to everybody", async () => {
    const { db } = database;
    await addSubscribers(db, subscribers);
    for (let kill = 1; kill <= kills; kill += 1) {
      const child = await start();
      // In the middle of whatever it does then.
      await until(async () => (await listIssues(db)).length >= (kill * plans) / (kills + 2));
      await endProcess(child, "SIGKILL");
    }
    const last = await start();
    await until(isDone);
    await endProcess(last, "SIGKILL");
    const titles = (await listIssues(db)).map(({ title }) => title).toSorted();
    const wanted = Array.from({ length: plans }, (_, number) => `Number ${number}`);
    expect(titles).toEqual(wanted.toSorted());
    const sends = await listSends(db, { limit: 2 * plans });
    expect(sends.map(({ title, toGo }) => [title, toGo]).toSorted()).toEqual(
      wanted.map((title) => [title, subscribers]).toSorted(),
    );
    expect(await listPlans(db)).toEqual([]);
  });
});
