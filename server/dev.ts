import type { Server } from "node:http";
import { createServer, type RunnableDevEnvironment } from "vite";
import { projectRoot } from "#settings/settings.ts";
import { run } from "./run.ts";
import type { SiteSource } from "./start-server.ts";

/** The site from its sources, with hot reload: Vite serves the files, and the app answers the rest. */
async function openSourceSite(server: Server): Promise<SiteSource> {
  const vite = await createServer({
    root: projectRoot,
    appType: "custom",
    server: {
      middlewareMode: true,
      hmr: { server },
      watch: { ignored: ["**/data/**", "**/build*/**", "**/test-results/**"] },
    },
  });
  const environment = vite.environments.ssr as RunnableDevEnvironment;
  return {
    // Imported for each request, so that a changed module makes the next answer.
    createSite: (services) => async (request, origin) => {
      const module: Pick<SiteSource, "createSite"> =
        await environment.runner.import("/app/site.ts");
      return module.createSite(services)(request, origin);
    },
    clientDirectory: null,
    wrap: (answer) => (request, response) =>
      vite.middlewares(request, response, () => answer(request, response)),
    close: () => vite.close(),
  };
}

await run(openSourceSite);
