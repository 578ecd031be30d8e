/** How often a terminal's progress line is drawn anew, in milliseconds. */
const terminalIntervalMs = 100;
/** How often a line is added to a log or a pipe, in milliseconds. */
const logIntervalMs = 5_000;

type Progress = {
  /** `total` is null where it isn't known beforehand. */
  step(done: number, total: number | null): void;
  end(): void;
};

/**
 * Says how far long work has come, on standard error: one line drawn over again on a terminal, elsewhere a line every
 * five seconds, and nothing for work that is shorter than that.
 */
export function startProgress(
  stream: NodeJS.WritableStream & { isTTY?: boolean },
  label: string,
): Progress {
  const onTerminal = stream.isTTY === true;
  const intervalMs = onTerminal ? terminalIntervalMs : logIntervalMs;
  let lastAt = performance.now();
  let drawn = false;
  return {
    step(done, total) {
      const now = performance.now();
      if (now - lastAt < intervalMs) return;
      lastAt = now;
      drawn = true;
      const of = total === null ? "" : ` of ${total.toLocaleString("en-CA")}`;
      const text = `${label}: ${done.toLocaleString("en-CA")}${of}`;
      stream.write(onTerminal ? `\r${text}\u001b[K` : `${text}\n`);
    },
    end() {
      if (drawn && onTerminal) stream.write("\r\u001b[K");
      drawn = false;
    },
  };
}
