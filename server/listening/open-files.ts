import { readFileSync } from "node:fs";

/** What the database, mail, webhook calls and the runtime itself have open at once, with room to spare. */
const reservedFiles = 128;
/** However little is allowed: fewer would serve nobody. */
const connectionsMin = 16;

/**
 * How many connections the server can hold and still open what it needs for answering them. The system's limit on open
 * files counts sockets too, and a server that has reached it can't take a connection in or deliver a mail.
 */
export function connectionsWithin(connectionsMax: number, openFiles = openFilesMax()): number {
  return Math.min(connectionsMax, Math.max(connectionsMin, openFiles - reservedFiles));
}

/** How many sockets listen side by side: where files are scarce, those beside the first are left to what they let in. */
export function listenersWithin(listenersMax: number, openFiles = openFilesMax()): number {
  return openFiles < 2 * reservedFiles ? 1 : listenersMax;
}

/** The most files that this process may have open; Infinity where the system doesn't say, as all but Linux don't. */
function openFilesMax(): number {
  try {
    const limits = readFileSync("/proc/self/limits", "utf8");
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Number.POSITIVE_INFINITY);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
