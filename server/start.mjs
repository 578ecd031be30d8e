import { enableCompileCache } from "node:module";
import path from "node:path";

// Later starts compile nothing again, and never load the compiler of TypeScript, which is why this file is JavaScript:
// 15 MB less. If the folder can't be written, the server starts without the cache.
enableCompileCache(path.join(import.meta.dirname, "..", "node_modules", ".cache", "node"));
const { openBuiltSite } = await import("./start-server.ts");
const { run } = await import("./run.ts");
await run(openBuiltSite);
