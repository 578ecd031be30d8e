/**
 * Leaves compressed forms beside the build's text files, so that the server sends them as they are and no request waits
 * for a compressor. Runs at the end of each build. A form that saves nothing is not written.
 */
import { glob, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

const folder = join(process.env.BUILD_FOLDER ?? "build", "client");
const compressors = {
  br: promisify(brotliCompress),
  gz: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
};

// One file after another: a thorough compressor takes tens of megabytes for as long as it runs.
for await (const file of glob("**/*.{css,ico,js,json,svg,txt,webmanifest,xml}", { cwd: folder }))
  await compress(join(folder, file));

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file);
  await Promise.all(
    (["br", "gz"] as const).map(async (ending) => {
      const compressed = await compressors[ending](bytes);
      if (compressed.length >= bytes.length) return;
      await writeFile(`${file}.${ending}`, compressed);
    }),
  );
}
