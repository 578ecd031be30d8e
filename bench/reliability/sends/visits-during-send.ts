import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openDatabase } from "#db/open-database.ts";
import { findSend } from "#newsletter/sends/find-send.ts";
import { pauseSend, resumeSend } from "#newsletter/sends/steer-send.ts";
import { freePort } from "#tests/free-port.ts";
import { calmMailSink } from "#tests/sends/killable-process.ts";
import { queueTestSend } from "#tests/sends/queue-test-send.ts";
import { addReaders } from "#tests/sends/readers.ts";
import { startBuiltServer } from "../../built-server.ts";
import { type LoadResult, medianByRate, sendLoad } from "../../performance/load.ts";

/** What mail services give a sender who has been with them for a while, and twenty times the default. */
const mailsPerSecond = 100;
const connections = 5;
const warmUpSeconds = 3;
const runSeconds = 3;
const rounds = 3;
/** A running server has seen by then that a send was paused or resumed. */
const steeredMs = 1_200;
/** More than go out while it's measured, with the time in between. */
const readers = mailsPerSecond * (runSeconds + 2) * rounds * 4;

/** An issue's usual size, in bytes. */
const html = `<p>${"Words of an issue. ".repeat(800)}</p>`;

const signUps = path.join(import.meta.dirname, "../../performance/sign-up.lua");

type Visits = {
  what: string;
  /** Requests a second, without a send and during one. */
  without: number;
  during: number;
  /** Mails of the send that were taken meanwhile, a second. */
  mails: number;
};

/** What the built server answers with nothing else to do and while it sends an issue, on one database. */
export async function measureVisitsDuringSend(databaseUrl: string | null): Promise<Visits[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "chalkline-visits-"));
  const port = await freePort();
  const sink = calmMailSink(port, folder);
  await sink.start();
  const server = await startBuiltServer(
    {
      SMTP_URL: `smtp://127.0.0.1:${port}`,
      SMTP_RATE: String(mailsPerSecond),
      SMTP_CONNECTIONS: String(connections),
      DATABASE_URL: databaseUrl ?? "",
    },
    { entry: "bench/performance/server-without-limits.ts", dataDir: folder },
  );
  const open = await openDatabase({ dataDir: folder, databaseUrl });
  try {
    const loads = [
      { what: "the home page", url: `${server.url}/` },
      { what: "sign-ups", url: server.url, script: signUps },
    ];
    await addReaders(open.db, readers);
    const id = await queueTestSend(open.db, { html });
    const accepted = async () => {
      const found = await findSend(open.db, id);
      if (!found.ok || found.send.endedAt) throw new Error("The send was over too soon.");
      return found.send.counts.accepted;
    };
    while ((await accepted()) < mailsPerSecond) await delay(50);
    const visits: Visits[] = [];
    // Pages first: sign-ups leave mails behind that overtake the issue for a while.
    for (const { what, ...load } of loads) {
      await sendLoad({ ...load, seconds: warmUpSeconds });
      const without: LoadResult[] = [];
      const during: LoadResult[] = [];
      let mails = 0;
      // In turns, so that what else the machine does slows both.
      for (let round = 0; round < rounds; round += 1) {
        await pauseSend(open.db, { id });
        await delay(steeredMs);
        without.push(await sendLoad({ ...load, seconds: runSeconds }));
        await resumeSend(open.db, id);
        await delay(steeredMs);
        const before = await accepted();
        during.push(await sendLoad({ ...load, seconds: runSeconds }));
        mails += (await accepted()) - before;
      }
      visits.push({
        what,
        without: medianByRate(without).perSecond,
        during: medianByRate(during).perSecond,
        mails: mails / (rounds * runSeconds),
      });
    }
    return visits;
  } finally {
    await open.close();
    await server.stop();
    await sink.kill();
    await rm(folder, { recursive: true, force: true });
  }
}
