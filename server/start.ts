import { enableCompileCache, flushCompileCache } from "node:module";
import path from "node:path";

// Later starts then neither strip types nor compile: a quarter of a second less. `npm start` says the same in the
// environment, which counts for this file too and for threads, and leaves the type stripper's 20 MB out of memory. Where the
// folder can't be written, the server starts without.
enableCompileCache(path.join(import.meta.dirname, "..", "node_modules", ".cache", "node"));
const [{ openBuiltSite }, { run }] = await Promise.all([
  import("./built-site.ts"),
  import("./run.ts"),
]);

await run(openBuiltSite);
flushCompileCache();
