import { setImmediate as nextRound } from "node:timers/promises";

/**
 * The body of an answer whose parts are made one by one, as the client takes them: a slow client costs the memory of one
 * part. `done` is called once, when all is sent, when the client has left, or when its time is over; where no time is given,
 * the connection's own limits end it.
 */
export function answerInPieces(
  pieces: readonly (() => Promise<string | Uint8Array>)[],
  { timeoutMs = null, done = () => {} }: { timeoutMs?: number | null; done?: () => void } = {},
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const left = pieces.values();
  let timer: NodeJS.Timeout | undefined;
  const end = () => {
    clearTimeout(timer);
    done();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (timeoutMs === null) return;
        timer = setTimeout(() => {
          controller.error(new Error(`The answer was not taken within ${timeoutMs} ms`));
          done();
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
          controller.enqueue(typeof piece === "string" ? encoder.encode(piece) : piece);
        } catch (error) {
          end();
          throw error;
        }
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}
