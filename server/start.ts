import { enableCompileCache } from "node:module";
import path from "node:path";

// A later start compiles nothing anew. Where the folder can't be written, the server starts without.
enableCompileCache(path.join(import.meta.dirname, "..", "node_modules", ".cache", "node"));
const [{ openBuiltSite }, { run }] = await Promise.all([
  import("./built-site.ts"),
  import("./run.ts"),
]);
await run(openBuiltSite);
