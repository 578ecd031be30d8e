import type { Server } from "node:http";
import { createServer, type RunnableDevEnvironment } from "vite";
import { projectRoot } from "#settings/settings.ts";
import { run } from "./run.ts";
import type { SiteSource } from "./start-server.ts";

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
    // So that changed modules take effect.
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
