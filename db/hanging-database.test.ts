import { once } from "node:events";
import { type AddressInfo, connect as connectSocket, createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { describeOnEachDatabase } from "#tests/databases.ts";
import { sendMessage } from "#tests/visitors.ts";
import type { OpenDatabase } from "./database-handle.ts";
import { openDatabase } from "./open-database.ts";

/** The longest that a form keeps its visitor waiting while the database hangs. */
const formMaxMs = 8_000;

function submit({ db }: OpenDatabase): Promise<string> {
  const sent = sendMessage(db).then(
    () => "taken",
    () => "refused",
  );
  return Promise.race([sent, delay(formMaxMs, "still waiting")]);
}

/** A way to a server that passes everything on until it stops, and then keeps connections open and silent. */
async function startStoppingProxy(target: { host: string; port: number }) {
  const sockets = new Set<Socket>();
  let stopped = false;
  const server = createServer((client) => {
    const upstream = connectSocket(target);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    client.on("data", (bytes) => stopped || upstream.write(bytes));
    upstream.on("data", (bytes) => stopped || client.write(bytes));
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    stop() {
      stopped = true;
    },
  };
}

describeOnEachDatabase("a database that hangs", (database) => {
  if (database.kind === "sqlite") {
    test("refuses a form while another process holds the lock", async () => {
      const other = await database.connect();
      await other.db.transaction().execute(async (trx) => {
        await trx.insertInto("marks").values({ name: "held", set_at: "now" }).execute();
        expect(await submit(database.open)).toBe("refused");
      });
      expect(await submit(database.open)).toBe("taken");
    });
    return;
  }

  test("refuses a form while a lock is held", async () => {
    const other = await database.connect();
    await other.db.transaction().execute(async (trx) => {
      await sql`lock table contact_messages in access exclusive mode`.execute(trx);
      expect(await submit(database.open)).toBe("refused");
    });
    expect(await submit(database.open)).toBe("taken");
  });

  test("refuses a form when its connections have gone silent, open ones and new ones", async () => {
    const url = new URL(database.settings.databaseUrl ?? "");
    const proxy = await startStoppingProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(proxy.port);
    const open = await openDatabase({ dataDir: "", databaseUrl: url.href });
    expect(await submit(open)).toBe("taken");
    proxy.stop();
    expect(await submit(open)).toBe("refused");
    expect(await submit(open)).toBe("refused");
    await Promise.race([open.close(), delay(1_000)]);
  });
});
