import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Database } from "#db/tables.ts";
import { inDatabase } from "../issue-table.ts";
import { type MailServer, startMailServer } from "../mail-server.ts";
import { patienceMs } from "../patience.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../webhook-receiver.ts";
import { createSceneServer, type SceneServer, type SceneServerOptions } from "./scene-server.ts";
import { address, startVisitors, tracerOf, type Visitors } from "./under-fire.ts";

const drainTimeoutMs = 120_000;
const contactTo = "desk@chalkline.example";

type SceneOptions = Omit<SceneServerOptions, "settings"> & {
  databaseUrl?: string;
  servers?: number;
  visitors?: number;
  /** Their rest after an answer, in milliseconds. */
  pauseMs?: number;
};

export type Scene = Awaited<ReturnType<typeof setScene>>;

/** Sets the scene, plays, and takes everything away again, whatever happened. */
export async function withScene<Result>(
  options: SceneOptions,
  play: (scene: Scene) => Promise<Result>,
): Promise<Result> {
  const scene = await setScene(options);
  const { crowd, servers, mail, hook } = scene;
  try {
    for (const server of servers) await server.start();
    return await play(scene);
  } finally {
    await crowd.stop();
    for (const server of servers) await server.kill();
    await Promise.all([mail.close(), hook.close()]);
    await rm(scene.folder, { recursive: true, force: true });
  }
}

/** A server, or several, under a stream of visitors, with a mail server and a webhook of its own. */
async function setScene(options: SceneOptions) {
  const folder = await mkdtemp(path.join(tmpdir(), "chalkline-scene-"));
  const mail = await startMailServer();
  const hook = await startWebhookReceiver();
  const dataDir = path.join(folder, "data");
  const settings = {
    DATA_DIR: dataDir,
    DATABASE_URL: options.databaseUrl ?? "",
    SMTP_URL: mail.url,
    CONTACT_TO: contactTo,
    NEWSLETTER_WEBHOOK_URL: hook.url,
    // Starts share their compiled modules.
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? path.join(folder, "compiled"),
  };
  const servers = Array.from({ length: options.servers ?? 1 }, () =>
    createSceneServer({ ...options, settings }),
  );
  const crowd = startVisitors(
    options.visitors ?? 4,
    (visitor) => servers[visitor % servers.length]?.origin ?? null,
    { pauseMs: options.pauseMs },
  );
  const database = { dataDir, databaseUrl: options.databaseUrl ?? null };

  return {
    folder,
    dataDir,
    mail,
    hook,
    server: servers[0] as SceneServer,
    servers,
    crowd,
    settings,
    /** Waits for so many more acknowledgements, however slow the machine is. Rejects where they don't come. */
    async answered(count: number) {
      const { messages, signups } = crowd.acknowledged;
      const enough = messages.length + signups.length + count;
      const deadline = performance.now() + patienceMs;
      while (messages.length + signups.length < enough) {
        if (performance.now() > deadline) throw new Error("Visitors get no answers any more.");
        await delay(1);
      }
    },
    /** Sends the visitors away, waits until nothing waits in the outbox, and compares. */
    async settled() {
      await crowd.stop();
      return await inDatabase({ database }, async (db) => {
        await drained(db);
        return await audit(crowd, { db, mail, hook });
      });
    },
    database,
  };
}

async function drained(db: Kysely<Database>) {
  const deadline = performance.now() + drainTimeoutMs;
  for (;;) {
    const waiting = await db
      .selectFrom("outbox")
      .select(["kind", "last_error"])
      .where("delivered_at", "is", null)
      .execute();
    if (waiting.length === 0) return;
    if (performance.now() > deadline) {
      throw new Error(`${waiting.length} deliveries still wait: ${JSON.stringify(waiting[0])}`);
    }
    await delay(100);
  }
}

type Places = { db: Kysely<Database>; mail: MailServer; hook: WebhookReceiver };

/**
 * Compares what visitors were told with what is in the database and what arrived. `notStored`: a success that was none.
 * `lost`: not in the database, or its mail or webhook call never arrived.
 */
async function audit({ acknowledged }: Visitors, { db, mail, hook }: Places) {
  const stored = await db.selectFrom("contact_messages").select("message").execute();
  const tracers = stored.map(({ message }) => tracerOf(message)).filter(Boolean);
  const subscribers = await db.selectFrom("subscribers").select("email").execute();
  const addresses = acknowledged.signups.map(address);
  const told = [...acknowledged.messages, ...addresses];
  const mails = idsOf(
    mail.received.map(({ to: [to = ""], email }) => {
      const about = to === contactTo ? tracerOf(email.text ?? "") : to;
      return [about, email.messageId ?? ""];
    }),
  );
  const events = idsOf(
    hook.received.map(({ headers, body }) => [
      JSON.parse(body).data.email,
      String(headers["webhook-id"]),
    ]),
  );
  const inDatabase = new Set([...tracers, ...subscribers.map(({ email }) => email)]);
  const notStored = told.filter((one) => !inDatabase.has(one));
  const undelivered = [
    ...told.filter((one) => !mails.has(one)),
    ...addresses.filter((one) => !events.has(one)),
  ];
  return {
    acknowledged: told.length,
    notStored,
    lost: [...new Set([...notStored, ...undelivered])],
    storedTwice: tracers.filter((tracer, at) => tracers.indexOf(tracer) !== at),
    underTwoIds: [mails, events].flatMap((all) =>
      [...all].filter(([, ids]) => ids.size > 1).map(([about]) => about),
    ),
  };
}

/** Whatever arrived, by what it is about: its ids. */
function idsOf(arrived: [about: string, id: string][]): Map<string, Set<string>> {
  const groups = Map.groupBy(arrived, ([about]) => about);
  return new Map([...groups].map(([about, all]) => [about, new Set(all.map(([, id]) => id))]));
}
