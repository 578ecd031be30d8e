import { enableCompileCache } from "node:module";
import path from "node:path";

// JavaScript, so that later starts never load TypeScript's compiler, which takes 15 MB.
enableCompileCache(path.join(import.meta.dirname, "..", "node_modules", ".cache", "node"));
const { openBuiltSite } = await import("./start-server.ts");
const { run } = await import("./run.ts");
await run(openBuiltSite);
