import { setImmediate as nextRound } from "node:timers/promises";

type PiecesOptions = {
  /** Without it, the connection's own limits end what isn't taken. */
  timeoutMs?: number | null;
  /** Called once, when all is sent, when the client has left, or when its time is over. */
  done?: () => void;
  /** Told of a part that could not be made. */
  onFailure?: (error: unknown) => void;
  /**
   * Breaks the connection off where the answer can't be sent to its end: its status has gone out already, and a body that
   * fails is written to the standard error by the adapter. Without it the body fails.
   */
  cutOff?: () => void;
};

/**
 * The body of an answer whose parts are made one by one, as the client takes them: a slow client costs the memory of one
 * part.
 */
export function answerInPieces(
  pieces: readonly (() => Promise<string | Uint8Array>)[],
  { timeoutMs = null, done = () => {}, onFailure = () => {}, cutOff }: PiecesOptions = {},
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const left = pieces.values();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    done();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (timeoutMs === null) return;
        timer = setTimeout(() => {
          end();
          if (cutOff) cutOff();
          else controller.error(new Error(`The answer was not taken within ${timeoutMs} ms`));
        }, timeoutMs);
        timer.unref();
      },
      async pull(controller) {
        // Other requests come in between two parts.
        await nextRound();
        const next = left.next();
        if (next.done) {
          end();
          controller.close();
          return;
        }
        try {
          const piece = await next.value();
          // Whoever left meanwhile is sent nothing more, and nothing has failed.
          if (isOver) return;
          controller.enqueue(typeof piece === "string" ? encoder.encode(piece) : piece);
        } catch (error) {
          if (isOver) return;
          end();
          onFailure(error);
          if (!cutOff) throw error;
          cutOff();
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
