import type { Plugin, Rolldown } from "vite";

/** What a chunk name of the bundler's own begins with. */
const runtimeName = "rolldown-runtime";

/**
 * Moves the bundler's runtime, a few hundred bytes that it always keeps in a file of their own beside named chunks,
 * into the chunk of the given name: one request less on every page. That chunk must import nothing else, since it is
 * then evaluated before all others. Throws where the bundler's output no longer has the expected form.
 */
export function foldInBundlerRuntime(chunkName: string): Plugin {
  return {
    name: "fold-in-bundler-runtime",
    apply: "build",
    enforce: "post",
    // After Vite has taken out the chunks that held nothing but styles, and before it writes its manifest.
    generateBundle(_options, bundle) {
      if (this.environment.name !== "client") return;
      const chunks = Object.values(bundle).filter((output) => output.type === "chunk");
      const runtime = chunks.find((chunk) => chunk.name === runtimeName);
      const home = chunks.find((chunk) => chunk.name === chunkName);
      if (!runtime) return;
      if (home) forgetStyleImports(home, chunks);
      const others = home?.imports.filter((file) => file !== runtime.fileName);
      if (!home || others?.length !== 0) {
        throw new Error(`The chunk ${chunkName} must import nothing, but does: ${others}`);
      }
      for (const chunk of chunks) if (chunk !== home) redirect(chunk, runtime, home);
      moveInto(home, runtime);
      delete bundle[runtime.fileName];
      // Where a style sheet was taken out, a padded comment stays behind.
      for (const chunk of chunks) chunk.code = chunk.code.replace(/\/\* empty css\s+\*\//g, "");
    },
  };
}

type Chunk = Rolldown.OutputChunk;

/** `n as e, t` → one name in the exporting module and one in the importing module for each. */
function readNames(list: string): { outer: string; inner: string }[] {
  return list.split(",").map((item) => {
    const [outer = "", inner = outer] = item.trim().split(/\s+as\s+/);
    return { outer, inner };
  });
}

/**
 * The bundler has the chunk import, for nothing but their styles, the root route's file, which only passes names on, and
 * the empty files of style sheets that are asked for by their address.
 */
function forgetStyleImports(home: Chunk, chunks: Chunk[]): void {
  const forStyles = chunks.filter(
    ({ imports, code }) => imports.includes(home.fileName) || code.trim() === "",
  );
  for (const { fileName } of forStyles) {
    const bareImport = `import"./${baseName(fileName)}";`;
    if (!home.code.includes(bareImport)) continue;
    home.code = home.code.replace(bareImport, "");
    home.imports = home.imports.filter((file) => file !== fileName);
  }
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf("/") + 1);
}

const movedName = (name: string) => `runtime_${name}`;

function importOf(file: string): RegExp {
  const name = baseName(file).replaceAll(".", "\\.");
  return new RegExp(`import\\s*\\{([^}]*)\\}\\s*from\\s*["'\`]\\./${name}["'\`];?`);
}

function redirect(chunk: Chunk, runtime: Chunk, home: Chunk): void {
  if (!chunk.imports.includes(runtime.fileName)) return;
  const place = importOf(runtime.fileName);
  const names = place.exec(chunk.code)?.[1];
  if (names === undefined) throw new Error(`${chunk.fileName} imports the runtime unreadably.`);
  const list = readNames(names).map(({ outer, inner }) => `${movedName(outer)} as ${inner}`);
  chunk.code = chunk.code.replace(
    place,
    `import{${list.join(",")}}from"./${baseName(home.fileName)}";`,
  );
  const others = chunk.imports.filter((file) => file !== runtime.fileName);
  chunk.imports = [...new Set([...others, home.fileName])];
}

function moveInto(home: Chunk, runtime: Chunk): void {
  const place = importOf(runtime.fileName);
  const used = place.exec(home.code)?.[1];
  const exported = /export\s*\{([^}]*)\};?\s*$/.exec(runtime.code);
  if (used === undefined || !exported?.[1]) throw new Error("The runtime chunk is unreadable.");
  // In an `export` list the inner name comes first.
  const offered = readNames(exported[1]).map(({ outer: inner, inner: outer }) => ({
    inner,
    outer,
  }));
  const body = runtime.code.slice(0, exported.index);
  const fields = offered.map(({ inner, outer }) => `${outer}:${inner}`).join(",");
  const targets = offered.map(({ outer }) => `${outer}:${movedName(outer)}`).join(",");
  const own = readNames(used).map(({ outer, inner }) => `${inner}=${movedName(outer)}`);
  const moved = `const{${targets}}=(()=>{${body}return{${fields}}})(),${own.join(",")};`;
  home.code = home.code
    .replace(place, () => moved)
    .concat(`export{${offered.map(({ outer }) => movedName(outer)).join(",")}};`);
  home.imports = [];
}
