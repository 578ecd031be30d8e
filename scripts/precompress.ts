/**
 * Leaves compressed forms beside the build's text files, so that the server sends them as they are and no request waits
 * for a compressor. Runs at the end of each build. A form that saves nothing is not written.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const folder = join(process.env.BUILD_FOLDER ?? "build", "client");
const compressible = /\.(?:css|ico|js|json|svg|txt|webmanifest|xml)$/;

const compressors = {
  br: smallestBrotli,
  gz: (bytes: Buffer) => promisify(gzip)(bytes, { level: 9 }),
};

/**
 * How the compressor cuts its input hangs on a few bytes, such as those of a file's name in it, and may cost a hundred:
 * it tries its own way of cutting and the finest. As base-2 logarithms; 0 is its own.
 */
const brotliBlockSizes = [0, 16];

const entries = await readdir(folder, { recursive: true, withFileTypes: true });
const files = entries.filter((entry) => entry.isFile() && compressible.test(entry.name));
// One file after another: a thorough compressor takes tens of megabytes for as long as it runs.
for (const entry of files) await compress(join(entry.parentPath, entry.name));

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

async function smallestBrotli(bytes: Buffer): Promise<Buffer> {
  const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_LGBLOCK: blockSize } = constants;
  const paramsOf = (size: number) => ({ params: { [quality]: 11, [blockSize]: size } });
  const tried = brotliBlockSizes.map((size) => promisify(brotliCompress)(bytes, paramsOf(size)));
  return (await Promise.all(tried)).reduce((a, b) => (b.length < a.length ? b : a));
}
