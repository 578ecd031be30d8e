import { enableCompileCache } from "node:module";
import path from "node:path";

// Later starts compile nothing again, and take a third of the time.
enableCompileCache(path.join(import.meta.dirname, "..", "node_modules", ".cache", "node"));
const { startDesk } = await import("./start.ts");
await startDesk();
