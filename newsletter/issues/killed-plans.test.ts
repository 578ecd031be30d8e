import { spawn } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { endProcess } from "#tests/end-process.ts";
import { sendingEnvironment } from "#tests/sends/sending-environment.ts";
import { addSubscribers } from "#tests/sends/subscribers.ts";
import { until } from "#tests/until.ts";
import { listSends } from "../sends/sends.ts";
import { listIssues } from "./issues.ts";
import { listPlans } from "./plans.ts";

const plans = 20;
const subscribers = 100;
const kills = 3;

describeOnEachDatabase("plans of a process that is killed again and again", (database) => {
  function start() {
    const script = path.join(import.meta.dirname, "../../tests/sends/planning-process.ts");
    const options = { settings: database.settings, environment: sendingEnvironment, plans };
    return spawn(process.execPath, [script, JSON.stringify(options)], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
  }

  async function isDone() {
    const begun = await listSends(database.db, { limit: 2 * plans });
    return begun.length >= plans && begun.every(({ begunAt }) => begunAt !== null);
  }

  test("are each published once and sent once, to everybody", async () => {
    const { db } = database;
    await addSubscribers(db, subscribers);
    for (let kill = 1; kill <= kills; kill += 1) {
      const child = start();
      // In the middle of whatever it does then.
      await until(async () => (await listIssues(db)).length >= (kill * plans) / (kills + 2));
      await endProcess(child, "SIGKILL");
    }
    const last = start();
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
