import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

const given = new Set<number>();

/**
 * A free port below those that systems give to outgoing connections, so that none takes it before a program that starts
 * slowly. Browsers refuse some ports below 11,000. No process is given one twice.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(11_000, 32_000);
    if (given.has(port)) continue;
    given.add(port);
    const probe = createServer().listen(port, "127.0.0.1");
    const isFree = await once(probe, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
}
