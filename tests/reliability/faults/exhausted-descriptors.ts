import { connect, type Socket } from "node:net";
import { withScene } from "../scene.ts";
import { beginReport, type FaultReport, type FaultSize } from "./fault-report.ts";

/** What the process may have open, and how many connections come on top of the visitors'. */
const amounts = {
  /** Fewer than the least number of connections that the server allows itself needs. */
  "too few for the server": { openFilesMax: 44, connections: 100 },
  /** Enough, were it not for the connections. */
  "enough for the server": { openFilesMax: 256, connections: 400 },
};

type Scarcity = keyof typeof amounts;

export const scarcities = Object.keys(amounts) as Scarcity[];

/** More connections are opened than the server may have files open, and kept open. */
export async function exhaustedDescriptors(
  scarcity: Scarcity,
  size: FaultSize,
): Promise<FaultReport> {
  const { openFilesMax, connections } = amounts[scarcity];
  return await withScene({ ...size, openFilesMax }, async (scene) => {
    const fault = `out of file descriptors: ${openFilesMax} are ${scarcity}`;
    const report = await beginReport(fault, scene, size);
    for (let round = 0; round < size.injections; round += 1) {
      const port = Number(new URL(scene.server.origin ?? "").port);
      const sockets = Array.from({ length: connections }, () => hold(port));
      await report.during(size.lastsMs);
      for (const socket of sockets) socket.destroy();
      await report.after();
    }
    return await report.end();
  });
}

/** A connection that says nothing. */
function hold(port: number): Socket {
  return connect(port, "127.0.0.1").on("error", () => {});
}
