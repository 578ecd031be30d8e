import pg from "pg";
import { startPostgresCluster } from "../../databases/postgres-cluster.ts";
import { withScene } from "../scene.ts";
import { beginReport, type FaultReport, type FaultSize } from "./fault-report.ts";

/** PostgreSQL crashes under load, is away for a while, and recovers. */
export async function restartedPostgres(size: FaultSize): Promise<FaultReport> {
  const cluster = await startPostgresCluster();
  try {
    const client = new pg.Client(cluster.url);
    await client.connect();
    await client.query("create database faults");
    await client.end();
    const databaseUrl = new URL(cluster.url);
    databaseUrl.pathname = "faults";
    return await withScene({ ...size, databaseUrl: databaseUrl.href }, async (scene) => {
      const report = await beginReport("PostgreSQL crashed and restarted under load", scene, size);
      for (let round = 0; round < size.injections; round += 1) {
        const isBack = cluster.crash(size.lastsMs);
        await report.during(size.lastsMs);
        await isBack;
        await report.after();
      }
      return await report.end();
    });
  } finally {
    await cluster.stop();
  }
}
