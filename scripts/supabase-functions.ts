import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { functionNames } from "#api/functions.ts";

const root = path.join(import.meta.dirname, "..");
const folder = path.join(root, "deploy/supabase/functions");

/** The runtime gets these from the registry. They need globals of Node that a bundle has not. */
const packages = ["pg", "nodemailer"];

/**
 * Builds `deploy/supabase/functions`: the site's functions in one file for a hosted project's runtime, which has no build
 * of its own, and a folder for each that serves them. Returns the folder's path.
 */
export async function buildSupabaseFunctions(): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    logLevel: "error",
    // Files beside the program, which only the site's server reads.
    define: { "import.meta.dirname": '"/"' },
    build: {
      ssr: "deploy/supabase/source/functions.ts",
      target: "es2024",
      minify: false,
      write: false,
      rolldownOptions: {
        external: [/^node:/, ...packages.map((name) => new RegExp(`^${name}(/|$)`))],
        output: { codeSplitting: false },
      },
    },
    ssr: { noExternal: true },
  });
  const [chunk] = "output" in built ? built.output : [];
  if (chunk?.type !== "chunk") throw new Error("The functions could not be built.");
  // The runtime has Node's modules and not its globals.
  const code = `import { Buffer } from "node:buffer";\n${await withVersions(chunk.code)}`;
  await write("_shared/functions.js", code);
  for (const name of functionNames) await write(`${name}/index.ts`, entry);
  return folder;
}

const entry = `import { createHostedFunctions } from "../_shared/functions.js";

Deno.serve(createHostedFunctions(Deno.env.toObject()).answer);
`;

async function write(name: string, text: string): Promise<void> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}

/** Each import says its package's version itself: `supabase functions deploy` takes no list of them for all functions. */
async function withVersions(code: string): Promise<string> {
  const { dependencies } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
  return packages.reduce(
    (text, name) =>
      text.replaceAll(
        new RegExp(`(?<=^import .* from "|\\bimport\\(")${name}(?=[/"])`, "gm"),
        `npm:${name}@${dependencies[name]}`,
      ),
    code,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await buildSupabaseFunctions();
}
