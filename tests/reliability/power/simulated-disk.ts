/** What a program does to files; a sync of a folder keeps the names in it. Paths are absolute. */
export type DiskOperation =
  | { kind: "write"; file: string; offset: number; data: Buffer }
  | { kind: "truncate"; file: string; size: number }
  | { kind: "unlink"; file: string }
  | { kind: "sync"; file: string }
  /** A visitor was told that the write with this tracer is kept. */
  | { kind: "acknowledge"; tracer: string };

type Change = Extract<DiskOperation, { kind: "write" | "truncate" }>;
type Content = { synced: Buffer; unsynced: Change[] };

/** What of the changes that were not synced is on the disk after the cut; parts are sectors, in any order. */
export type Kept = "nothing" | "everything" | "some changes" | "some parts";

const sectorBytes = 512;

/** Files as a disk has them that keeps only what was synced, and of the rest what chance has it. */
export function createSimulatedDisk() {
  const names = new Map<string, Content>();
  const syncedNames = new Map<string, Content>();

  function contentOf(file: string): Content {
    const known = names.get(file);
    if (known) return known;
    const made: Content = { synced: Buffer.alloc(0), unsynced: [] };
    names.set(file, made);
    return made;
  }

  return {
    apply(operation: DiskOperation): void {
      switch (operation.kind) {
        case "write":
        case "truncate":
          contentOf(operation.file).unsynced.push(operation);
          break;
        case "unlink":
          names.delete(operation.file);
          break;
        case "sync":
          sync(operation.file);
          break;
        case "acknowledge":
      }
    },
    /** Bytes written to files of this ending that a power cut now would take. */
    unsyncedBytes(ending: string): number {
      return [...names]
        .filter(([file]) => file.endsWith(ending))
        .flatMap(([, { unsynced }]) => unsynced)
        .reduce((sum, change) => sum + (change.kind === "write" ? change.data.length : 0), 0);
    },
    /** The files as they are found when the power is back. */
    afterPowerCut(kept: Kept): Map<string, Buffer> {
      const found = kept === "nothing" || (kept !== "everything" && coin()) ? syncedNames : names;
      return new Map([...found].map(([file, content]) => [file, remains(content, kept)]));
    },
  };

  function sync(file: string): void {
    const content = names.get(file);
    if (content) {
      for (const change of content.unsynced) content.synced = applied(content.synced, change, true);
      content.unsynced = [];
      return;
    }
    syncedNames.clear();
    for (const [name, named] of names) syncedNames.set(name, named);
  }
}

function remains({ synced, unsynced }: Content, kept: Kept): Buffer {
  if (kept === "nothing") return synced;
  let bytes = synced;
  for (const change of unsynced) {
    if (kept === "some changes" && coin()) continue;
    for (const part of kept === "some parts" ? parts(change).filter(coin) : [change]) {
      bytes = applied(bytes, part);
    }
  }
  return bytes;
}

function applied(bytes: Buffer, change: Change, inPlace = false): Buffer {
  const size =
    change.kind === "truncate"
      ? change.size
      : Math.max(bytes.length, change.offset + change.data.length);
  // What lies between the old end and the new is zeros.
  const result = inPlace && size === bytes.length ? bytes : Buffer.alloc(size);
  if (result !== bytes) bytes.copy(result);
  if (change.kind === "write") change.data.copy(result, change.offset);
  return result;
}

/** A write as the sectors that it touches, each of which is on the disk whole or not at all. */
function parts(change: Change): Change[] {
  if (change.kind === "truncate") return [change];
  const { data, offset } = change;
  const found: Change[] = [];
  for (let at = 0; at < data.length; ) {
    const end = Math.min(data.length, at + sectorBytes - ((offset + at) % sectorBytes));
    found.push({ ...change, offset: offset + at, data: data.subarray(at, end) });
    at = end;
  }
  return found;
}

function coin(): boolean {
  return Math.random() < 0.5;
}
