import { openBuiltSite } from "./built-site.ts";
import { run } from "./run.ts";

await run(openBuiltSite);
