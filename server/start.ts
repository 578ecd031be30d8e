import { enableCompileCache, flushCompileCache } from "node:module";
import path from "node:path";
import { setFlagsFromString } from "node:v8";

// Later starts then neither strip types nor compile: a quarter of a second less. `npm start` says the same in the
// environment, which counts for this file too and for threads, and leaves the type stripper's 20 MB out of memory. Where the
// folder can't be written, the server starts without.
enableCompileCache(path.join(import.meta.dirname, "..", "node_modules", ".cache", "node"));
// The command line's young generation is for this thread, whose heap stands by now. Left so, it would count for every later
// thread, over what that one is given.
setFlagsFromString("--max-semi-space-size=0");
const [{ openBuiltSite }, { run }] = await Promise.all([
  import("./built-site.ts"),
  import("./run.ts"),
]);

await run(openBuiltSite);
flushCompileCache();
