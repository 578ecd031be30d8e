import { access, constants, mkdtemp, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const memory = "/dev/shm";
/** The most that a run's databases need, and some room; containers often have 64 MB. */
const neededBytes = 1024 ** 3;

/**
 * A folder of its own for a test's data, to be removed by whoever asked. In memory where the system has room there:
 * making databases and removing them takes a disk several times as long.
 */
export async function makeMemoryFolder(prefix: string): Promise<string> {
  return await mkdtemp(join((await hasRoom()) ? memory : tmpdir(), prefix));
}

async function hasRoom(): Promise<boolean> {
  try {
    await access(memory, constants.W_OK);
    const { bavail, bsize } = await statfs(memory);
    return bavail * bsize >= neededBytes;
  } catch {
    return false;
  }
}
