import { useEffect, useState } from "react";
import type { Archive, LoadingArchive } from "./archive.ts";

type ArchiveInView = {
  /** Null while the issues are on their way. */
  archive: Archive | null;
  /** What was shown before that, so that the dropdown keeps its place and the focus on it. */
  lastShown: Archive | null;
};

/** Follows the loader's data, which is either the archive or the promise of one. */
export function useArchive(data: Archive | LoadingArchive): ArchiveInView {
  const [settled, setSettled] = useState<Settled | null>(
    data.state === "loading" ? null : { data, archive: data },
  );

  useEffect(() => {
    if (data.state !== "loading") {
      setSettled({ data, archive: data });
      return;
    }
    let isCurrent = true;
    data.reading.then((archive) => {
      if (isCurrent) setSettled({ data, archive });
    });
    return () => {
      isCurrent = false;
    };
  }, [data]);

  const lastShown = settled?.archive ?? null;
  if (data.state !== "loading") return { archive: data, lastShown };
  return { archive: settled?.data === data ? lastShown : null, lastShown };
}

type Settled = { data: Archive | LoadingArchive; archive: Archive };
