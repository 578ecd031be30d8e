import { existsSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { projectRoot } from "./settings.ts";
import type { SiteSource } from "./start-server.ts";

/** The site as `npm run build` made it. Rejects where it hasn't been built. */
export async function openBuiltSite(): Promise<SiteSource> {
  return await openSiteIn(path.join(projectRoot, "build"));
}

export async function openSiteIn(folder: string): Promise<SiteSource> {
  const serverBuild = path.join(folder, "server", "index.js");
  if (!existsSync(serverBuild)) {
    throw new Error("The site is not built yet: run `npm run build`, or `npm start`, which does.");
  }
  const { createSite } = (await import(
    pathToFileURL(serverBuild).href
  )) as typeof import("#app/site.ts");
  return { createSite, clientDirectory: path.join(folder, "client") };
}
