import { enableCompileCache } from "node:module";
import path from "node:path";

// As in server/start.mjs: later starts compile nothing again, and take a third of the time.
enableCompileCache(path.join(import.meta.dirname, "..", "node_modules", ".cache", "node"));
await import("./start.ts");
