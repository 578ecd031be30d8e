import { connect, type Socket } from "node:net";
import { withScene } from "../scene.ts";
import { beginReport, type FaultReport, type FaultSize } from "./fault-report.ts";

/** What the server itself needs is some thirty. */
const openFilesMax = 64;
const connections = 100;

/** More connections are opened than the server may have files, and held. */
export async function exhaustedDescriptors(size: FaultSize): Promise<FaultReport> {
  return await withScene({ ...size, openFilesMax }, async (scene) => {
    const report = await beginReport("out of file descriptors", scene, size);
    for (let round = 0; round < size.injections; round += 1) {
      const port = Number(new URL(scene.server.origin ?? "").port);
      const held = Array.from({ length: connections }, () => hold(port));
      await report.during(size.lastsMs);
      for (const socket of held) socket.destroy();
      await report.after();
    }
    return await report.end();
  });
}

/** A connection that says nothing. */
function hold(port: number): Socket {
  return connect(port, "127.0.0.1").on("error", () => {});
}
