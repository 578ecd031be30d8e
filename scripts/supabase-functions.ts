import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";

const root = path.join(import.meta.dirname, "..");
const file = path.join(root, "deploy/supabase/functions/_shared/functions.js");

const heading = `// Made from the site's own rules by \`node scripts/supabase-functions.ts\`. Change deploy/supabase/source and the
// files of contracts/ and backend/ that it uses, not this.
`;

/** The functions of a hosted project in one file: the site's own rules, for a runtime that has no build of its own. */
export async function makeSupabaseFunctions(): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    logLevel: "error",
    build: {
      ssr: "deploy/supabase/source/functions.ts",
      target: "es2024",
      minify: false,
      write: false,
      rolldownOptions: { external: [/^node:/, "pg", /^nodemailer(\/|$)/] },
    },
    ssr: { noExternal: true },
  });
  const [chunk] = "output" in built ? built.output : [];
  if (chunk?.type !== "chunk") throw new Error("The functions could not be built.");
  // The runtime has Node's modules and not its globals.
  const globals = 'import { Buffer } from "node:buffer";\n';
  // Where a module stands on this machine is nobody's business.
  const code = chunk.code.replace(/^\/\/#(?:end)?region.*\n/gm, "");
  return heading + globals + code;
}

export async function readSupabaseFunctions(): Promise<string> {
  return await readFile(file, "utf8");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await writeFile(file, await makeSupabaseFunctions());
}
