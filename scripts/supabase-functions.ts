import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";

const root = path.join(import.meta.dirname, "..");
const file = path.join(root, "deploy/supabase/functions/_shared/functions.js");

/** What comes from the registry, by its name at the start of an import. */
const packages = ["pg", "nodemailer"];

/**
 * Builds `deploy/supabase/functions/_shared/functions.js`, the functions of a hosted project with the site's own rules in
 * one file, for a runtime that has no build of its own. Returns the file's path.
 */
export async function buildSupabaseFunctions(): Promise<string> {
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
  const code = `import { Buffer } from "node:buffer";\n${chunk.code}`;
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, await withVersions(code));
  return file;
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

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await buildSupabaseFunctions();
}
