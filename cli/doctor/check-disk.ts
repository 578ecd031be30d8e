import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Config } from "#server/settings.ts";
import { formatBytes } from "../text-files.ts";
import type { Finding } from "./finding.ts";

/** Below this the database and the mail folder may soon not be written; bytes. */
const lowSpaceBytes = 500_000_000;

/** How much room is left where DATA_DIR is, or will be. */
export async function checkDisk({ dataDirectory }: Config): Promise<Finding> {
  const about = "Disk";
  for (let folder = dataDirectory; ; folder = dirname(folder)) {
    const found = await statfs(folder).catch(() => null);
    if (found === null && folder !== dirname(folder)) continue;
    if (found === null)
      return { about, state: "note", message: `${dataDirectory} can't be measured.` };
    const free = found.bavail * found.bsize;
    const message = `${formatBytes(free)} free for ${dataDirectory}.`;
    if (free >= lowSpaceBytes) return { about, state: "ok", message };
    return { about, state: "attention", message, advice: "Make room, or move DATA_DIR." };
  }
}
