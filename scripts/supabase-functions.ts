import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";

const root = path.join(import.meta.dirname, "..");
const file = path.join(root, "deploy/supabase/functions/_shared/functions.js");

/** What comes from the registry, by its name at the start of an import. */
const packages = ["pg", "nodemailer"];

const heading = `// Made from the site's own rules by \`node_modules/.bin/node scripts/supabase-functions.ts\`. Change
// deploy/supabase/source and the files of contracts/ and backend/ that it uses, not this.
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
      rolldownOptions: {
        external: [/^node:/, ...packages.map((name) => new RegExp(`^${name}(/|$)`))],
      },
    },
    ssr: { noExternal: true },
  });
  const [chunk] = "output" in built ? built.output : [];
  if (chunk?.type !== "chunk") throw new Error("The functions could not be built.");
  // The runtime has Node's modules and not its globals.
  const globals = 'import { Buffer } from "node:buffer";\n';
  // Where a module stands on this machine is nobody's business.
  const code = chunk.code.replace(/^\/\/#(?:end)?region.*\n/gm, "");
  return heading + globals + (await withVersions(code));
}

/** Each import says its package's version itself: `supabase functions deploy` takes no list of them for all functions. */
async function withVersions(code: string): Promise<string> {
  const { dependencies } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
  return packages.reduce(
    (text, name) =>
      text.replaceAll(
        new RegExp(`(?<=^import .* from ")${name}(?=[/"])`, "gm"),
        `npm:${name}@${dependencies[name]}`,
      ),
    code,
  );
}

export async function readSupabaseFunctions(): Promise<string> {
  return await readFile(file, "utf8");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await writeFile(file, await makeSupabaseFunctions());
}
