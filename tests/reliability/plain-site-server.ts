/** The real server, signals and log included, without the built pages: what is under test is everything else. */
import { run } from "#server/run.ts";

await run(async () => ({
  createSite: () => async () => new Response("", { status: 404 }),
  clientDirectory: null,
}));
