import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { projectRoot } from "./config.ts";
import type { SiteSource } from "./request-chain.ts";

/** The site as `npm run build` made it. Throws, saying so, where it hasn't been built. */
export async function openBuiltSite(): Promise<SiteSource> {
  const serverBuild = path.join(projectRoot, "build", "server", "index.js");
  if (!existsSync(serverBuild)) {
    throw new Error("The site is not built yet: run `npm run build`, or `npm start`, which does.");
  }
  const { createSite } = (await import(
    pathToFileURL(serverBuild).href
  )) as typeof import("#app/site.ts");
  return { createSite, clientDirectory: path.join(projectRoot, "build", "client") };
}
