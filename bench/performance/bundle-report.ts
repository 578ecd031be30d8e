import { readdirSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import path from "node:path";
import { createBuilder, type Rolldown } from "vite";
import { barred, inBytes, type Measurement } from "../measurement.ts";

const projectRoot = path.join(import.meta.dirname, "..", "..");
const builtFiles = path.join(projectRoot, "build", "client");

/** What every page loads beside the chunks: the router's list of routes, and the booking widget's stand-in. */
const listOfRoutes = /^manifest-[\da-f]{8}\.js\.br$/;
const standInWidget = "assets/external/widget.js";

const ownMaxBytes = 5_000;
const scriptsMaxBytes = 112_640;
/** Parts of a file that are named before the rest is summed up. */
const namedParts = 6;

type Chunk = {
  file: string;
  /** Bytes as sent, by what they were made from: a package, or a module of our own. */
  parts: Map<string, number>;
  brotliBytes: number;
  minifiedBytes: number;
  imports: string[];
  /** The pages whose route it is, without folder and ending. */
  page: string | null;
};

/** What the scripts of each page are made of, from the build that is served. */
export const bundleReport: Measurement = {
  name: "bundle-report",
  async run({ say }) {
    say("Building the browser's scripts again, in memory, with their source maps.");
    const chunks = await readChunks();
    const everyPage = filesOf(chunks, isOnEveryPage);
    const fixedBytes = brotliSize(findListOfRoutes()) + brotliSize(standInWidget);
    const pages = [...new Set(chunks.map(({ page }) => page).filter((page) => page !== null))];
    return [
      {
        title: "Scripts of each page by what they are made of",
        note: [
          "Bytes as sent, brotli. A compressed file's bytes are shared out by the size of the parts before compression.",
          "`own` is the page's own file, `list` the router's list of routes and the booking widget's stand-in.",
          `Bars: own ${inBytes(ownMaxBytes)}, all ${inBytes(scriptsMaxBytes)}. What is over its bar is marked with !.`,
        ].join("\n"),
        columns: [
          "page",
          "React",
          "React Router",
          "other packages",
          "shared",
          "own",
          "list",
          "all",
        ],
        rows: pages
          .map((page) => rowOfPage(page, chunks, everyPage, fixedBytes))
          .sort((a, b) => b.total - a.total)
          .map(({ cells }) => cells),
      },
      {
        title: "Files of scripts and their largest parts",
        columns: ["file", "brotli", "minified", "pages", "parts, brotli"],
        rows: chunks
          .toSorted((a, b) => b.brotliBytes - a.brotliBytes)
          .map((chunk) => rowOfFile(chunk, pages, chunks, everyPage)),
      },
    ];
  },
};

async function readChunks(): Promise<Chunk[]> {
  const builder = await createBuilder({
    root: projectRoot,
    mode: "production",
    logLevel: "error",
    environments: { client: { build: { sourcemap: "hidden", write: false } } },
  });
  const client = builder.environments.client;
  if (!client) throw new Error("Vite knows no environment called client.");
  const built = (await builder.build(client)) as Rolldown.RolldownOutput;
  return built.output
    .filter((output) => output.type === "chunk")
    .filter(({ code }) => code !== "")
    .map(readChunk);
}

function readChunk({ fileName, code, map, imports, facadeModuleId }: Rolldown.OutputChunk): Chunk {
  const brotliBytes = brotliSize(fileName);
  const minified = minifiedParts(code, map);
  const perByte = brotliBytes / code.length;
  return {
    file: fileName,
    parts: new Map([...minified].map(([name, bytes]) => [name, bytes * perByte])),
    brotliBytes,
    minifiedBytes: code.length,
    imports,
    page: /\/app\/pages\/([\w-]+)\.tsx/.exec(facadeModuleId ?? "")?.[1] ?? null,
  };
}

/** Characters of the minified code by the package or module that they come from. */
function minifiedParts(code: string, map: Rolldown.SourceMap | null): Map<string, number> {
  const parts = new Map<string, number>();
  if (!map) return parts.set("unknown", code.length);
  // Only the fields that Node reads.
  const { version, sources, names, mappings } = map;
  const sourceMap = new SourceMap({
    version,
    sources,
    names,
    mappings,
    file: "",
    sourceRoot: "",
    sourcesContent: [],
  });
  for (const [line, text] of code.split("\n").entries()) {
    for (let column = 0; column < text.length; column += 1) {
      const entry = sourceMap.findEntry(line, column);
      const part = "originalSource" in entry ? partName(entry.originalSource) : "the bundler";
      parts.set(part, (parts.get(part) ?? 0) + 1);
    }
  }
  return parts;
}

function partName(source: string | undefined): string {
  const [, ownPackage] = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source ?? "") ?? [];
  if (ownPackage) return ownPackage;
  return source?.replace(/^(?:\.\.\/)+/, "").replace(/\?.*/, "") || "the bundler";
}

/** The chunks that meet the condition and all that they import. */
function filesOf(chunks: Chunk[], condition: (chunk: Chunk) => boolean): Set<string> {
  const files = new Set(chunks.filter(condition).map(({ file }) => file));
  for (const file of files) {
    const chunk = chunks.find((other) => other.file === file);
    for (const imported of chunk?.imports ?? []) files.add(imported);
  }
  return files;
}

const isOnEveryPage = ({ file }: Chunk) => /\/entry\.client-/.test(file);

function rowOfPage(page: string, chunks: Chunk[], everyPage: Set<string>, fixedBytes: number) {
  const loaded = new Set([...everyPage, ...filesOf(chunks, (chunk) => chunk.page === page)]);
  const sums = { react: 0, router: 0, packages: 0, shared: 0, own: 0 };
  for (const chunk of chunks.filter(({ file }) => loaded.has(file))) {
    for (const [part, bytes] of chunk.parts) {
      if (chunk.page === page) sums.own += bytes;
      else if (["react", "react-dom", "scheduler"].includes(part)) sums.react += bytes;
      else if (part === "react-router") sums.router += bytes;
      else if (/^(?:app|content|contracts)\//.test(part)) sums.shared += bytes;
      else sums.packages += bytes;
    }
  }
  const { react, router, packages, shared, own } = sums;
  const total = react + router + packages + shared + own + fixedBytes;
  const cells = [
    page,
    ...[react, router, packages, shared].map(inBytes),
    barred(own, ownMaxBytes),
    inBytes(fixedBytes),
    barred(total, scriptsMaxBytes),
  ];
  return { total, cells };
}

function rowOfFile(chunk: Chunk, pages: string[], chunks: Chunk[], everyPage: Set<string>) {
  const count = everyPage.has(chunk.file)
    ? "all"
    : String(
        pages.filter((page) => filesOf(chunks, (other) => other.page === page).has(chunk.file))
          .length,
      );
  const parts = [...chunk.parts].sort(([, a], [, b]) => b - a);
  const rest = parts.slice(namedParts).reduce((sum, [, bytes]) => sum + bytes, 0);
  const named = parts.slice(0, namedParts).map(([name, bytes]) => `${name} ${inBytes(bytes)}`);
  return [
    path.basename(chunk.file).replace(/-[\w-]{8}\.js$/, ""),
    inBytes(chunk.brotliBytes),
    inBytes(chunk.minifiedBytes),
    count,
    [...named, ...(rest > 0 ? [`${parts.length - namedParts} more ${inBytes(rest)}`] : [])].join(
      ", ",
    ),
  ];
}

function findListOfRoutes(): string {
  const file = readdirSync(path.join(builtFiles, "assets")).find((name) => listOfRoutes.test(name));
  if (!file) throw new Error("The build has no list of routes.");
  return `assets/${file.slice(0, -".br".length)}`;
}

/** The bytes of a built file as they are sent. Throws where the build is of other sources. */
function brotliSize(file: string): number {
  try {
    return readFileSync(path.join(builtFiles, `${file}.br`)).length;
  } catch (error) {
    throw new Error(`build/ has no ${file}.br, so it is not the build of these sources.`, {
      cause: error,
    });
  }
}
