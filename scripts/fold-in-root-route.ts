import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "vite";

/** As the bundler names it in its manifest, and so what React Router looks for. */
const rootRoute = "app/root.tsx";

type ManifestEntry = { file: string; imports?: string[] };

/**
 * Has the root route's names offered by the chunk that they are in: its own file would only pass them on, and be one
 * request more on every page. Throws where that file is more than a list of names.
 */
export function foldInRootRoute(): Plugin {
  return {
    name: "fold-in-root-route",
    apply: "build",
    enforce: "post",
    // The chunk is named before it gets the names, so its own name has to follow them otherwise.
    augmentChunkHash(chunk) {
      if (!chunk.moduleIds.some((id) => id.includes(`/${rootRoute}`))) return;
      return readFileSync(path.join(this.environment.config.root, rootRoute), "utf8");
    },
    generateBundle(_options, bundle) {
      if (this.environment.name !== "client") return;
      const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
      const root = chunks.find((chunk) => chunk.facadeModuleId?.includes(`/${rootRoute}`));
      const home = chunks.find((chunk) => chunk.fileName === root?.imports[0]);
      const onlyNames = /^export\s*\{[^}]+\}\s*from\s*"\.\/[\w.-]+";?\s*$/;
      if (!root || !home || !onlyNames.test(root.code)) {
        throw new Error("The root route's file does more than pass names on.");
      }
      // A module may import from itself.
      home.code += root.code;
    },
    // React Router reads the manifest only once the browser's files have been written.
    writeBundle({ dir = "" }) {
      if (this.environment.name !== "client") return;
      const manifestFile = path.join(dir, ".vite", "manifest.json");
      const manifest: Record<string, ManifestEntry> = JSON.parse(
        readFileSync(manifestFile, "utf8"),
      );
      const root = Object.entries(manifest).find(([key]) => key.startsWith(rootRoute))?.[1];
      const home = manifest[root?.imports?.[0] ?? ""];
      if (!root || !home) throw new Error("The manifest doesn't have the root route.");
      rmSync(path.join(dir, root.file));
      root.file = home.file;
      writeFileSync(manifestFile, JSON.stringify(manifest));
    },
  };
}
