import type { OutputStream } from "../../command-context.ts";
import type { Problem } from "../../command-error.ts";
import type { TextStream } from "../../files/read-text-file.ts";
import { startProgress } from "../../terminal/progress.ts";
import type { OpenList } from "./list-rows.ts";
import type { ColumnMap } from "./map-columns.ts";
import { readListedSubscriber } from "./read-listed-subscriber.ts";
import type { StagedList } from "./staged-list.ts";

type Reading = {
  file: TextStream;
  list: OpenList;
  map: ColumnMap;
  consent: string;
  now: Date;
  stderr: OutputStream;
};

const kilobyte = 1_000;

/** Reads a list to its end and stages what can be taken; answers how many lines can't, each of which `onInvalid` hears. */
export async function stageList(
  staged: StagedList,
  { file, list, map, consent, now, stderr }: Reading,
  onInvalid: (problem: Problem) => void,
): Promise<number> {
  const progress = startProgress(stderr, "Reading the list, in kB");
  const total = file.sizeBytes === null ? null : Math.ceil(file.sizeBytes / kilobyte);
  let invalid = 0;
  try {
    for await (const row of list.rows) {
      const read = row.fault ?? readListedSubscriber(row.fields, map, { consent, now });
      if (typeof read !== "string") staged.add(read);
      else {
        invalid += 1;
        progress.end();
        onInvalid({ file: file.name, line: row.line, message: read });
      }
      progress.step(Math.ceil(file.readBytes() / kilobyte), total);
    }
  } finally {
    progress.end();
  }
  return invalid;
}
