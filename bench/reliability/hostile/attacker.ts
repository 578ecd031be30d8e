// Attacks the server for a while, as a process of its own; prints what became of it as JSON.
import { setTimeout as delay } from "node:timers/promises";
import { manyStrangers, strangersAddress } from "../../visitors/loopback-addresses.ts";
import { flood } from "./flood.ts";
import { hostileKinds, slowConnections } from "./hostile-kinds.ts";
import type { HostileRequest } from "./hostile-request.ts";
import { slowFlood } from "./slow-flood.ts";

export type AttackOrder = {
  port: number;
  kind: string;
  /** From one address, or from as many as there are connections. */
  from: "one address" | "many addresses";
  seconds: number;
  restQueries: HostileRequest[];
};

const order = JSON.parse(process.argv[2] ?? "") as AttackOrder;
const address = order.from === "one address" ? () => strangersAddress : manyStrangers;
const attack = begin();
await delay(order.seconds * 1_000);
attack.stop();
process.stdout.write(JSON.stringify(attack.tally), () => process.exit());

function begin() {
  const { port, kind: name, restQueries } = order;
  if (name === slowConnections.name) {
    return slowFlood({ port, connections: slowConnections.connections, address });
  }
  const kind = hostileKinds(restQueries).find((known) => known.name === name);
  if (!kind) throw new Error(`No attack is called ${name}.`);
  return flood({ port, kind, address });
}
